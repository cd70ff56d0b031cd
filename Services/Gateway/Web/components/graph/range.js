/**
 * The layers of a graph that tell values: the band between the limits, the grid, the limits.
 */

import { rounded, ticksOf } from "../../drawing/geometry.js";
import { svg } from "../../page/dom.js";
import { rect } from "./marks.js";

/** @typedef {import("./model.js").Frame} Frame */
/** @typedef {import("./model.js").GraphModel} GraphModel */

/**
 * The limits from edge to edge: one stretch, or one for each step that is seen.
 * @param {GraphModel} model
 * @param {Frame} frame
 * @param {(time: number) => number} x
 * @returns {{left: number, right: number, minimum: number | null, maximum: number | null}[]}
 */
export function stretchesOf({ range, steps = [] }, { left, right }, x) {
    if (steps.length === 0) return [{ left, right, minimum: range.minimum, maximum: range.maximum }];
    return steps.flatMap(({ from, to, minimum, maximum }, index) => {
        // What is beyond what is known is as at its end.
        const start = index === 0 ? left : Math.max(left, x(from));
        const stop = index === steps.length - 1 ? right : Math.min(right, x(to));
        return stop - start < 0.5 ? [] : [{ left: start, right: stop, minimum, maximum }];
    });
}

/**
 * The band between the limits, which steps where they change by the clock, and the grid.
 * @param {GraphModel} model
 * @param {Frame} frame
 * @param {(time: number) => number} x
 * @param {(value: number) => number} y
 */
export function drawGround(model, frame, x, y) {
    const { left, right, top, bottom } = frame;
    const { domain } = model;
    return svg(
        "g",
        null,
        stretchesOf(model, frame, x).map((stretch) => {
            if (stretch.minimum === null && stretch.maximum === null) return null;
            const upper = stretch.maximum === null ? top : Math.max(top, y(stretch.maximum));
            const lower = stretch.minimum === null ? bottom : Math.min(bottom, y(stretch.minimum));
            return rect(stretch.left, upper, stretch.right - stretch.left, lower - upper, { class: "graph-band" });
        }),
        ticksOf(domain.low, domain.high).map((tick) =>
            svg("path", { class: "graph-grid", d: `M${left} ${rounded(y(tick))}H${right}` })
        ),
    );
}

/**
 * @param {GraphModel} model
 * @param {Frame} frame
 * @param {(time: number) => number} x
 * @param {(value: number) => number} y
 */
export function drawLimits(model, frame, x, y) {
    /** @type {(SVGElement | null)[]} */
    const parts = [];
    for (const stretch of stretchesOf(model, frame, x)) {
        for (const side of /** @type {const} */ (["maximum", "minimum"])) {
            const value = stretch[side];
            if (value === null) continue;
            const place = y(value);
            if (place < frame.top - 1 || place > frame.bottom + 1) continue;
            parts.push(svg("path", { class: "graph-limit", d: `M${rounded(stretch.left)} ${rounded(place)}H${rounded(stretch.right)}` }));
        }
    }
    return svg("g", null, parts);
}
