/** Signing up. @type {import("../../app/routes.js").Route} */
export default {
    path: "/sign-up",
    tab: null,
    who: "stranger",
    isFirst: true,
    load: async () => (await import("./entrance.js")).entrance.signUp,
};
