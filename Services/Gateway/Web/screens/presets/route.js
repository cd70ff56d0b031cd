/** Presets of one's own. @type {import("../../app/routes.js").Route} */
export default {
    path: "/settings/presets",
    tab: "settings",
    who: "person",
    load: () => import("./presets.js"),
};
