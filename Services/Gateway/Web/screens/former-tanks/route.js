/** What somebody left in tanks that they do not see any more. @type {import("../../app/routes.js").Route} */
export default {
    path: "/settings/account/left",
    tab: "settings",
    who: "person",
    load: () => import("./former-tanks.js"),
};
