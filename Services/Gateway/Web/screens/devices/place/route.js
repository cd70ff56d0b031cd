/** Adding a place without a device. @type {import("../../../app/routes.js").Route} */
export default {
    path: "/devices/place",
    tab: "devices",
    who: "person",
    load: () => import("./add-place.js"),
};
