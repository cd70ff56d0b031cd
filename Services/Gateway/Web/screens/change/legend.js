/** The seven classes with their bounds. */

import { h } from "../../page/dom.js";
import { classNames } from "../../water/change.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {readonly number[]} bounds In the unit.
 * @param {number} decimals
 * @param {string} unit
 */
export function legendOf({ t, format }, bounds, decimals, unit) {
    const [little, clear, great] = bounds;
    /** @param {number} value */
    const text = (value) => format.number(value, value < 10 ** -decimals ? decimals + 1 : decimals);
    const steps = [great, clear, little].map((bound) => `−${text(bound)}`).concat([little, clear, great].map((bound) => `+${text(bound)}`));
    return h(
        "figure",
        { class: "change-legend", "aria-label": t("changeMap.legend", { bounds: [little, clear, great].map((bound) => format.withUnit(text(bound), unit)).join(", ") }) },
        h("div", { class: "change-legend-bar", "aria-hidden": "true" }, classNames.map((name) => h("span", { "data-class": name }))),
        h("div", { class: "change-legend-bounds small quiet", "aria-hidden": "true" }, steps.map((step) => h("span", null, step))),
        h("div", { class: "change-legend-ends small quiet", "aria-hidden": "true" }, h("span", null, t("changeMap.fell")), h("span", null, t("changeMap.rose"))),
    );
}
