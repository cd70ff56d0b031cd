/** A field sample begins. @type {import("../../../app/routes.js").Route} */
export default {
    path: "/field/new",
    tab: null,
    who: "person",
    load: () => import("./new.js"),
    styles: ["field"],
};
