/** What people did and saw. @type {import("../../app/routes.js").Route} */
export default {
    path: "/care/journal",
    tab: "care",
    who: "person",
    load: () => import("./journal.js"),
};
