/** The installation's health, for operators. @type {import("../../app/routes.js").Route} */
export default {
    path: "/settings/operation",
    tab: "settings",
    who: "person",
    load: () => import("./operation.js"),
};
