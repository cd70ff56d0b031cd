/** One preset: its name and its limits. @type {import("../../../app/routes.js").Route} */
export default {
    path: "/settings/presets/:preset",
    tab: "settings",
    who: "person",
    load: () => import("./preset.js"),
};
