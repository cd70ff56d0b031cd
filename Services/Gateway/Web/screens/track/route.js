/** Where a device that moves was. @type {import("../../app/routes.js").Route} */
export default {
    path: "/devices/:device/track",
    tab: "devices",
    who: "person",
    load: () => import("./track.js"),
    styles: ["map", "track"],
};
