/** All tanks at once. @type {import("../../../app/routes.js").Route} */
export default {
    path: "/tanks",
    tab: "water",
    who: "person",
    load: () => import("./tanks.js"),
    styles: ["tanks"],
};
