/** A test to all ways. @type {import("../../../app/routes.js").Route} */
export default {
    path: "/settings/notifications/tests/:alert",
    tab: "settings",
    who: "person",
    load: () => import("./test.js"),
};
