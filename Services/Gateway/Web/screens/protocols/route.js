/** The protocols by which samples are taken. @type {import("../../app/routes.js").Route} */
export default {
    path: "/field/protocols",
    tab: "care",
    who: "person",
    load: () => import("./protocols.js"),
};
