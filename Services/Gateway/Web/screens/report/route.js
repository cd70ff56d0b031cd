/** A report of a period of a device, to print and sign. @type {import("../../app/routes.js").Route} */
export default {
    path: "/devices/:device/report",
    tab: "devices",
    who: "person",
    load: () => import("./report.js"),
};
