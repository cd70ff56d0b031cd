/** What a device sent, message by message. @type {import("../../app/routes.js").Route} */
export default {
    path: "/devices/:device/messages",
    tab: "devices",
    who: "person",
    load: () => import("./messages.js"),
};
