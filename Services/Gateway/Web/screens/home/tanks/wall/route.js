/** All tanks on a screen on the wall. @type {import("../../../../app/routes.js").Route} */
export default {
    path: "/tanks/wall",
    tab: null,
    who: "person",
    load: () => import("./wall.js"),
    styles: ["tanks", "wall"],
};
