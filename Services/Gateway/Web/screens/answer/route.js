/** The answer to one alert by the link of it, whoever is signed in here. @type {import("../../app/routes.js").Route} */
export default {
    path: "/answer",
    tab: null,
    who: "anyone",
    load: () => import("./answer.js"),
};
