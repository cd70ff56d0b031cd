/** An invitation is taken up. @type {import("../../app/routes.js").Route} */
export default {
    path: "/join",
    tab: null,
    who: "anyone",
    load: () => import("./join.js"),
};
