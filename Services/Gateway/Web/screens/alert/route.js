/** One alert. @type {import("../../app/routes.js").Route} */
export default {
    path: "/alerts/:alert",
    tab: "alerts",
    who: "person",
    load: () => import("./alert.js"),
};
