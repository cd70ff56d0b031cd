/** Quiet hours. @type {import("../../app/routes.js").Route} */
export default {
    path: "/settings/quiet-hours",
    tab: "settings",
    who: "person",
    load: () => import("./quiet-hours.js"),
};
