/** Everybody's changes, for operators. @type {import("../../app/routes.js").Route} */
export default {
    path: "/settings/operation/changes",
    tab: "settings",
    who: "person",
    load: () => import("./changes.js"),
};
