/** Linking a device. @type {import("../../../app/routes.js").Route} */
export default {
    path: "/devices/link",
    tab: "devices",
    who: "person",
    load: () => import("./link-device.js"),
};
