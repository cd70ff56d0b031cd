/** Where tanks stand on a plan. @type {import("../../../../app/routes.js").Route} */
export default {
    path: "/tanks/plans/:plan",
    tab: "water",
    who: "person",
    load: () => import("./plan.js"),
    styles: ["places", "map", "plan"],
};
