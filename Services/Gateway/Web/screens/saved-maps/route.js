/** Areas of the map that are kept on this device. @type {import("../../app/routes.js").Route} */
export default {
    path: "/saved-maps",
    tab: "devices",
    who: "person",
    load: () => import("./saved-maps.js"),
    styles: ["areas", "progress"],
};
