/** Where the sign-in provider leads back to. @type {import("../../app/routes.js").Route} */
export default {
    path: "/signed-in",
    tab: null,
    who: "anyone",
    load: () => import("./signed-in.js"),
};
