/** The water of a device: the first screen. @type {import("../../app/routes.js").Route} */
export default {
    path: "/",
    tab: "water",
    who: "person",
    isFirst: true,
    load: () => import("./home.js"),
};
