/** How somebody looks at all their tanks: kept on this device, since it belongs to its window's size. */

import { orders } from "../../../water/overview.js";

/** @typedef {'grid' | 'list' | 'plan' | 'map'} Layout */
export const layouts = Object.freeze(/** @type {const} */ (["grid", "list", "plan", "map"]));

/**
 * @typedef {object} View
 * @property {Layout} layout
 * @property {string | null} plan The plan that was seen last.
 * @property {import("../../../water/overview.js").Order} order
 * @property {string | null} parameter Of which the number is; null: the one nearest to its limit.
 * @property {import("../../../water/overview.js").Filter} filter For this visit alone.
 * @property {string | null} group The id of a project, empty for the person's own; null: all. For this visit alone.
 */

const name = "tanks";

/**
 * @param {import("../../../app/preferences.js").Preferences} preferences
 * @param {boolean} isWide
 * @returns {View}
 */
export function viewKept(preferences, isWide) {
    const kept = parsed(preferences.noted(name));
    return {
        layout: layouts.find((layout) => layout === kept.layout) ?? (isWide ? "grid" : "list"),
        plan: typeof kept.plan === "string" ? kept.plan : null,
        order: orders.find((order) => order === kept.order) ?? "trouble",
        parameter: typeof kept.parameter === "string" ? kept.parameter : null,
        filter: "all",
        group: null,
    };
}

/**
 * @param {import("../../../app/preferences.js").Preferences} preferences
 * @param {View} view
 */
export function keepView(preferences, { layout, plan, order, parameter }) {
    preferences.note(name, JSON.stringify({ layout, plan, order, parameter }));
}

/** @param {string | null} text */
function parsed(text) {
    try {
        return JSON.parse(text ?? "{}") ?? {};
    } catch {
        return {};
    }
}
