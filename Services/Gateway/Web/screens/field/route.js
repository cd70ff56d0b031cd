/** Samples taken in the field. @type {import("../../app/routes.js").Route} */
export default {
    path: "/field",
    tab: "care",
    who: "person",
    load: () => import("./field.js"),
    styles: ["field"],
};
