/** The devices. @type {import("../../app/routes.js").Route} */
export default {
    path: "/devices",
    tab: "devices",
    who: "person",
    load: () => import("./devices.js"),
};
