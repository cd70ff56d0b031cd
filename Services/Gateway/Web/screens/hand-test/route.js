/** Values by hand of one device. @type {import("../../app/routes.js").Route} */
export default {
    path: "/devices/:device/test",
    tab: "water",
    who: "person",
    load: () => import("./hand-test.js"),
};
