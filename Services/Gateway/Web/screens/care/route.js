/** What is due, with a calendar beside it where there is room. @type {import("../../app/routes.js").Route} */
export default {
    path: "/care",
    tab: "care",
    who: "person",
    load: () => import("./care.js"),
};
