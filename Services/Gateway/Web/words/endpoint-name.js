/** Names and icons of endpoints. */

/** @typedef {{channel: string, service?: string | null, host: string}} Named The parts of a name. */

/**
 * The name by which people know a service that brings messages: its own, unless there is a word for it.
 * @param {{t: import("../lang/index.js").Words}} context
 * @param {{channel: string, name: string}} service
 */
export function nameOfService({ t }, { channel, name }) {
    const key = `notifications.name_${channel}`;
    return t.has(key) ? t(key) : name;
}

/**
 * @param {{t: import("../lang/index.js").Words}} context
 * @param {Named} endpoint
 */
export function nameOf(context, { channel, service, host }) {
    if (isApp(channel)) return context.t(`notifications.app_${channel}`);
    if (channel === "webPush") return context.t("notifications.browser", { host: serviceOf(host) });
    // Of a service that has a name of its own; a version before knows of none.
    return service ? `${nameOfService(context, { channel, name: service })} (${host})` : host;
}

/**
 * The name in a word, where several are listed.
 * @param {{t: import("../lang/index.js").Words}} context
 * @param {Named} endpoint
 */
export function shortNameOf(context, { channel, service, host }) {
    if (isApp(channel)) return context.t(`notifications.app_${channel}`);
    if (channel === "webPush") return serviceOf(host);
    return service ? nameOfService(context, { channel, name: service }) : host;
}

/**
 * The name of a way and what it is, where one stands below the other.
 * @param {{t: import("../lang/index.js").Words}} context
 * @param {Named} endpoint
 * @param {boolean} isHere Whether it is the device in front of the person.
 * @returns {{name: string, kind: string}}
 */
export function partsOf(context, { channel, service, host }, isHere) {
    const { t } = context;
    if (channel === "webPush") return { name: isHere ? t("ways.here") : serviceOf(host), kind: t("ways.kind_browser") };
    const known = service ? nameOfService(context, { channel, name: service }) : channel === "webhook" ? t("notifications.webhook") : channel;
    // The host of a chat's service says less than its name; an address says more than that it is one.
    return service && channel !== "email" ? { name: known, kind: host } : { name: host, kind: known };
}

/** @param {Omit<Named, "host">} endpoint */
export function iconOf({ channel, service }) {
    if (channel === "webPush" || isApp(channel)) return "phone";
    return service ? iconOfService(channel) : "link";
}

/** Services that bring messages into a chat, beside other people's. */
const chats = new Set(["telegram", "matrix", "slack"]);

/** @param {string} channel */
export function iconOfService(channel) {
    if (channel === "call") return "phone";
    if (channel === "email") return "mail";
    return chats.has(channel) ? "plane" : "message";
}

/**
 * Whether an app is told there: by Apple's push service, or by Google's.
 * @param {string} channel
 */
export function isApp(channel) {
    return channel === "apns" || channel === "fcm";
}

/**
 * Whose push service it is, which people know better than its host.
 * @param {string} host
 */
function serviceOf(host) {
    if (host.endsWith("push.apple.com")) return "Safari";
    if (host.endsWith("mozilla.com")) return "Firefox";
    if (host.endsWith("googleapis.com")) return "Chrome";
    return host.endsWith("notify.windows.com") ? "Edge" : host;
}
