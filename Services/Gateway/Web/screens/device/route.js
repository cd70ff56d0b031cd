/** One device. @type {import("../../app/routes.js").Route} */
export default {
    path: "/devices/:device",
    tab: "devices",
    who: "person",
    load: () => import("./device.js"),
    styles: ["concealed"],
};
