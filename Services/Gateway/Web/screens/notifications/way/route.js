/** One way to reach the person. @type {import("../../../app/routes.js").Route} */
export default {
    path: "/settings/notifications/:way",
    tab: "settings",
    who: "person",
    load: () => import("./way.js"),
};
