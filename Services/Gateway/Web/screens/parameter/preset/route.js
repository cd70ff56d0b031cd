/** One parameter of a preset. @type {import("../../../app/routes.js").Route} */
export default {
    path: "/settings/presets/:preset/limits/:parameter",
    tab: "settings",
    who: "person",
    load: () => import("./preset.js"),
};
