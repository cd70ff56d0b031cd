/** Where alerts go. @type {import("../../app/routes.js").Route} */
export default {
    path: "/settings/notifications",
    tab: "settings",
    who: "person",
    load: () => import("./notifications.js"),
};
