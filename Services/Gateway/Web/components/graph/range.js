/**
 * The layers of a graph that tell values: the band between the limits, the grid, the limits.
 */

import { rounded, ticksOf } from "../../drawing/geometry.js";
import { svg } from "../../page/dom.js";
import { rect } from "./marks.js";

/** @typedef {import("./model.js").Frame} Frame */
/** @typedef {import("./model.js").GraphModel} GraphModel */

/**
 * The band between the limits, and the grid.
 * @param {GraphModel} model
 * @param {Frame} frame
 * @param {(value: number) => number} y
 */
export function drawGround({ range, domain }, { left, right, top, bottom }, y) {
    const upper = range.maximum === null ? top : Math.max(top, y(range.maximum));
    const lower = range.minimum === null ? bottom : Math.min(bottom, y(range.minimum));
    const hasBand = range.minimum !== null || range.maximum !== null;
    return svg(
        "g",
        null,
        hasBand ? rect(left, upper, right - left, lower - upper, { class: "graph-band" }) : null,
        ticksOf(domain.low, domain.high).map((tick) =>
            svg("path", { class: "graph-grid", d: `M${left} ${rounded(y(tick))}H${right}` })
        ),
    );
}

/**
 * @param {GraphModel} model
 * @param {Frame} frame
 * @param {(value: number) => number} y
 */
export function drawLimits({ range }, { left, right, top, bottom }, y) {
    /** @type {(SVGElement | null)[]} */
    const parts = [];
    for (const side of /** @type {const} */ (["maximum", "minimum"])) {
        const value = range[side];
        if (value === null) continue;
        const place = y(value);
        if (place < top - 1 || place > bottom + 1) continue;
        parts.push(svg("path", { class: "graph-limit", d: `M${left} ${rounded(place)}H${right}` }));
    }
    return svg("g", null, parts);
}
