/** What changed where. @type {import("../../app/routes.js").Route} */
export default {
    path: "/change",
    tab: "water",
    who: "person",
    load: () => import("./change.js"),
    styles: ["map", "change"],
};
