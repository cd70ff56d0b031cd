/** The projects of a person. @type {import("../../app/routes.js").Route} */
export default {
    path: "/settings/projects",
    tab: "settings",
    who: "person",
    load: () => import("./projects.js"),
};
