/** A new password by the link of a mail, whoever is signed in here. @type {import("../../app/routes.js").Route} */
export default {
    path: "/reset-password",
    tab: null,
    who: "anyone",
    load: () => import("./reset-password.js"),
};
