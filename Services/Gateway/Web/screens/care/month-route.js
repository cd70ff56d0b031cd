/** The calendar of what was done and is to be done. @type {import("../../app/routes.js").Route} */
export default {
    path: "/care/calendar",
    tab: "care",
    who: "person",
    load: () => import("./month.js"),
};
