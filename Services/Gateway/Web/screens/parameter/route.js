/** The settings of one parameter. @type {import("../../app/routes.js").Route} */
export default {
    path: "/settings/:device/:parameter",
    tab: "settings",
    who: "person",
    load: () => import("./parameter.js"),
};
