/**
 * Which screen stands under which path.
 */

/** @typedef {Record<string, string>} Params */

/**
 * @typedef {object} ScreenModule
 * @property {(root: HTMLElement, context: import("./context.js").Context, params: Params) => import("./context.js").Mounted} mount
 */

/**
 * @typedef {object} Route
 * @property {string} path Steps that begin with a colon are parameters.
 * @property {() => Promise<ScreenModule>} load
 * @property {'water' | 'alerts' | 'devices' | 'settings' | null} tab The tab in use; null: a screen without tabs.
 * @property {'person' | 'stranger' | 'anyone'} who Whom it is for.
 */

async function entrance() {
    return (await import("../screens/entrance/entrance.js")).entrance;
}

/** @type {readonly Route[]} */
export const routes = [
    { path: "/", tab: "water", who: "person", load: () => import("../screens/home/home.js") },
    { path: "/p/:device/:parameter", tab: "water", who: "person", load: () => import("../screens/home/details/details.js") },
    { path: "/alerts", tab: "alerts", who: "person", load: () => import("../screens/alerts/alerts.js") },
    { path: "/alerts/:alert", tab: "alerts", who: "person", load: () => import("../screens/alert/alert.js") },
    { path: "/devices", tab: "devices", who: "person", load: () => import("../screens/devices/devices.js") },
    { path: "/devices/link", tab: "devices", who: "person", load: () => import("../screens/devices/link/link-device.js") },
    { path: "/devices/chart", tab: "devices", who: "person", load: () => import("../screens/chart/chart.js") },
    { path: "/devices/:device", tab: "devices", who: "person", load: () => import("../screens/device/device.js") },
    { path: "/settings", tab: "settings", who: "person", load: () => import("../screens/settings/settings.js") },
    { path: "/settings/account", tab: "settings", who: "person", load: () => import("../screens/account/account.js") },
    {
        path: "/settings/notifications",
        tab: "settings",
        who: "person",
        load: () => import("../screens/notifications/notifications.js"),
    },
    {
        path: "/settings/:device/:parameter",
        tab: "settings",
        who: "person",
        load: () => import("../screens/parameter/parameter.js"),
    },
    { path: "/join", tab: null, who: "anyone", load: () => import("../screens/join/join.js") },
    { path: "/introduction", tab: null, who: "stranger", load: async () => (await entrance()).introduction },
    { path: "/sign-in", tab: null, who: "stranger", load: async () => (await entrance()).signIn },
    { path: "/sign-up", tab: null, who: "stranger", load: async () => (await entrance()).signUp },
];

/**
 * @param {string} path
 * @returns {{route: Route, params: Params} | null}
 */
export function match(path) {
    const steps = path.split("/").slice(1);
    for (const route of routes) {
        const params = matched(route.path.split("/").slice(1), steps);
        if (params) return { route, params };
    }
    return null;
}

/**
 * @param {string[]} pattern
 * @param {string[]} steps
 * @returns {Params | null}
 */
function matched(pattern, steps) {
    if (pattern.length !== steps.length) return null;
    /** @type {Params} */
    const params = {};
    for (const [index, name] of pattern.entries()) {
        const step = steps[index];
        if (name.startsWith(":")) {
            if (step === "") return null;
            try {
                params[name.slice(1)] = decodeURIComponent(step);
            } catch {
                return null;
            }
        } else if (name !== step) return null;
    }
    return params;
}
