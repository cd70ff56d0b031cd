/**
 * The layers of a graph that tell values: the band between the limits, the grid, the limits with their names and numbers.
 */

import { svg } from "../../app/dom.js";
import { apart, rounded, ticksOf } from "../../app/drawing.js";
import { label, rect } from "./marks.js";

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

/**
 * What the limits are called, above everything that is drawn.
 * @param {GraphModel} model
 * @param {Frame} frame
 * @param {(value: number) => number} y
 */
export function drawNames({ range, words }, { left, top, bottom }, y) {
    return svg(
        "g",
        null,
        /** @type {const} */ (["maximum", "minimum"]).map((side) => {
            const value = range[side];
            const place = value === null ? -1 : y(value);
            if (place < top - 1 || place > bottom + 1) return null;
            const isAbove = side === "maximum" || place + 24 > bottom;
            return label("graph-label graph-name", left + 4, isAbove ? place - 6 : place + 16, words[side], "start");
        }),
    );
}

/**
 * Numbers at the right: limits in bold, then ticks that do not touch them.
 * @param {GraphModel} model
 * @param {Frame} frame
 * @param {(value: number) => number} y
 */
export function drawNumbers({ range, domain, number, limit }, { right, top, bottom }, y) {
    /** @type {{place: number, text: string, isLimit: boolean}[]} */
    const marks = [];
    for (const value of [range.maximum, range.minimum]) {
        if (value !== null) marks.push({ place: y(value), text: limit(value), isLimit: true });
    }
    for (const tick of ticksOf(domain.low, domain.high)) marks.push({ place: y(tick), text: number(tick), isLimit: false });
    const inside = marks.filter(({ place }) => place > top - 6 && place < bottom - 4);
    return svg(
        "g",
        null,
        apart(inside, 16).map(({ place, text, isLimit }) =>
            label(isLimit ? "graph-label graph-label-limit" : "graph-label", right + 40, place + 4.5, text, "end")
        ),
    );
}
