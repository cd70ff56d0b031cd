/** Questions about a tank, which end in limits. @type {import("../../app/routes.js").Route} */
export default {
    path: "/devices/:device/questions",
    tab: "devices",
    who: "person",
    load: () => import("./questions.js"),
};
