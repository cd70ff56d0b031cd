/** The account. @type {import("../../app/routes.js").Route} */
export default {
    path: "/settings/account",
    tab: "settings",
    who: "person",
    load: () => import("./account.js"),
};
