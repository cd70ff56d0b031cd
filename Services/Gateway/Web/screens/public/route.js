/** A page that its owner shows to everybody who has its address. @type {import("../../app/routes.js").Route} */
export default {
    path: "/public",
    tab: null,
    who: "anyone",
    load: () => import("./public.js"),
    styles: ["public"],
};
