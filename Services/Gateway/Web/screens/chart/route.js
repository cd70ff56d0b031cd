/** Where devices are. @type {import("../../app/routes.js").Route} */
export default {
    path: "/devices/chart",
    tab: "devices",
    who: "person",
    load: () => import("./chart.js"),
    styles: ["map", "places"],
};
