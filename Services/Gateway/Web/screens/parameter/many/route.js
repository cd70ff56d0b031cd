/** Limits of one parameter for many tanks. @type {import("../../../app/routes.js").Route} */
export default {
    path: "/tanks/limits",
    tab: "water",
    who: "person",
    load: () => import("./many.js"),
    styles: ["many"],
};
