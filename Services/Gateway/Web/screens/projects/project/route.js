/** One project: its people, its tanks. @type {import("../../../app/routes.js").Route} */
export default {
    path: "/settings/projects/:project",
    tab: "settings",
    who: "person",
    load: () => import("./project.js"),
    styles: ["field"],
};
