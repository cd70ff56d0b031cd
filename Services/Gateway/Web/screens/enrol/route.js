/** Making devices. @type {import("../../app/routes.js").Route} */
export default {
    path: "/devices/enrol",
    tab: "devices",
    who: "person",
    load: () => import("./enrol.js"),
    styles: ["concealed", "enrol", "progress"],
};
