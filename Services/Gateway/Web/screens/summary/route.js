/** What the person is told regularly. @type {import("../../app/routes.js").Route} */
export default {
    path: "/settings/summary",
    tab: "settings",
    who: "person",
    load: () => import("./summary.js"),
};
