/** The installation's devices, for operators. @type {import("../../app/routes.js").Route} */
export default {
    path: "/settings/operation/devices",
    tab: "settings",
    who: "person",
    load: () => import("./devices.js"),
};
