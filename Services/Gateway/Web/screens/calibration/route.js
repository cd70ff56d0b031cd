/** The calibration log of one parameter's probe. @type {import("../../app/routes.js").Route} */
export default {
    path: "/settings/:device/:parameter/calibration",
    tab: "settings",
    who: "person",
    load: () => import("./calibration.js"),
};
