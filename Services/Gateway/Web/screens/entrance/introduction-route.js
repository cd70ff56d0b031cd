/** The first screen of a stranger. @type {import("../../app/routes.js").Route} */
export default {
    path: "/introduction",
    tab: null,
    who: "stranger",
    isFirst: true,
    load: async () => (await import("./entrance.js")).entrance.introduction,
};
