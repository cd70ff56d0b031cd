/** The list of alerts. @type {import("../../app/routes.js").Route} */
export default {
    path: "/alerts",
    tab: "alerts",
    who: "person",
    load: () => import("./alerts.js"),
};
