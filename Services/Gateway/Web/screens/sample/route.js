/** One field sample. @type {import("../../app/routes.js").Route} */
export default {
    path: "/field/:sample",
    tab: null,
    who: "person",
    load: () => import("./sample.js"),
    styles: ["field"],
};
