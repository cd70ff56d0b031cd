/** What was changed, by whom. @type {import("../../app/routes.js").Route} */
export default {
    path: "/settings/account/changes",
    tab: "settings",
    who: "person",
    load: () => import("./audit.js"),
};
