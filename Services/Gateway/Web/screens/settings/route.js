/** The settings. @type {import("../../app/routes.js").Route} */
export default {
    path: "/settings",
    tab: "settings",
    who: "person",
    load: () => import("./settings.js"),
};
