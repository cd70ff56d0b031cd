/** A forgotten password. Few go there: it travels alone. @type {import("../../app/routes.js").Route} */
export default {
    path: "/forgot-password",
    tab: null,
    who: "anyone",
    load: () => import("./forgot-password.js"),
};
