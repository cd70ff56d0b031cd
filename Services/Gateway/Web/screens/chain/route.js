/** Who is told when nobody answers. @type {import("../../app/routes.js").Route} */
export default {
    path: "/devices/:device/chain",
    tab: "devices",
    who: "person",
    load: () => import("./chain.js"),
};
