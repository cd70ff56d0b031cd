/** What lives and works in a tank. @type {import("../../app/routes.js").Route} */
export default {
    path: "/devices/:device/inventory",
    tab: "devices",
    who: "person",
    load: () => import("./inventory.js"),
};
