/** The public station whose values a place shows. @type {import("../../app/routes.js").Route} */
export default {
    path: "/devices/:device/station",
    tab: "devices",
    who: "person",
    load: () => import("./station.js"),
};
