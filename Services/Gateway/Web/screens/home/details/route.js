/** One parameter in detail. @type {import("../../../app/routes.js").Route} */
export default {
    path: "/p/:device/:parameter",
    tab: "water",
    who: "person",
    load: () => import("./details.js"),
};
