/** The shifts of a project. @type {import("../../../app/routes.js").Route} */
export default {
    path: "/settings/projects/:project/shifts",
    tab: "settings",
    who: "person",
    load: () => import("./shifts.js"),
};
