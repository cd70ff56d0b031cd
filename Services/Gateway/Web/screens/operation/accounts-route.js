/** The installation's accounts, for operators. @type {import("../../app/routes.js").Route} */
export default {
    path: "/settings/operation/accounts",
    tab: "settings",
    who: "person",
    load: () => import("./accounts.js"),
};
