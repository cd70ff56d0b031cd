/** The end of alerts by mail, by the link of one, whoever is signed in here. @type {import("../../app/routes.js").Route} */
export default {
    path: "/unsubscribe",
    tab: null,
    who: "anyone",
    load: () => import("./unsubscribe.js"),
};
