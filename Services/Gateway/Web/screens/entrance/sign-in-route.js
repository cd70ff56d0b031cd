/** Signing in. @type {import("../../app/routes.js").Route} */
export default {
    path: "/sign-in",
    tab: null,
    who: "stranger",
    isFirst: true,
    load: async () => (await import("./entrance.js")).entrance.signIn,
};
