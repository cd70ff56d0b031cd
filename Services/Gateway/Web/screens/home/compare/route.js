/** Two parameters, two tanks, or before and after. @type {import("../../../app/routes.js").Route} */
export default {
    path: "/compare/:device/:parameter",
    tab: "water",
    who: "person",
    load: () => import("./compare.js"),
    styles: ["compare"],
};
