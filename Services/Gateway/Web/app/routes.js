/**
 * Which screen stands under which path.
 */

import * as screens from "../screens/index.js";

/** @typedef {Record<string, string>} Params */

/**
 * @typedef {object} ScreenModule
 * @property {(root: HTMLElement, context: import("./context.js").Context, params: Params) => import("./context.js").Mounted} mount
 */

/**
 * Where a screen is, and for whom, as its folder declares it.
 * @typedef {object} Route
 * @property {string} path Steps that begin with a colon are parameters.
 * @property {() => Promise<ScreenModule>} load
 * @property {'water' | 'alerts' | 'care' | 'devices' | 'settings' | null} tab The tab in use; null: a screen without tabs.
 * @property {'person' | 'stranger' | 'anyone'} who Whom it is for.
 * @property {readonly string[]} [styles] The files in `styles/late` that the screen needs, without their ends.
 * @property {boolean} [isFirst] Whether the shell announces its script: it asks for words of `lang/first.json` alone.
 */

/** @type {readonly Route[]} */
const routes = Object.values(screens);

/**
 * The screen of a path: where several match, the one that names more of it.
 * @param {string} path
 * @returns {{route: Route, params: Params} | null}
 */
export function match(path) {
    const steps = path.split("/").slice(1);
    /** @type {{route: Route, params: Params} | null} */
    let best = null;
    let least = Infinity;
    for (const route of routes) {
        const params = matched(route.path.split("/").slice(1), steps);
        if (!params) continue;
        const count = Object.keys(params).length;
        if (count < least) [best, least] = [{ route, params }, count];
    }
    return best;
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
