/** A protocol of one's own. @type {import("../../../app/routes.js").Route} */
export default {
    path: "/field/protocols/:protocol",
    tab: "care",
    who: "person",
    load: () => import("./protocol.js"),
    styles: ["protocol"],
};
