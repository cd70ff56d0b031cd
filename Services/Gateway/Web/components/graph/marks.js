/**
 * The marks that several layers of a graph are made of.
 */

import { linePath, rounded } from "../../drawing/geometry.js";
import { svg } from "../../page/dom.js";
import { rangeAt } from "../../water/periods.js";
import { sideOf } from "../../water/ranges.js";

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {Record<string, unknown>} [more]
 */
export function rect(x, y, width, height, more = {}) {
    return svg("rect", { x: rounded(x), y: rounded(y), width: rounded(Math.max(0, width)), height: rounded(Math.max(0, height)), ...more });
}

/** @type {Record<import("../../drawing/captions.js").CaptionKind, string>} */
const classes = {
    limit: "graph-label graph-label-limit",
    now: "graph-label graph-label-limit",
    name: "graph-label graph-name",
    tick: "graph-label",
    time: "graph-label",
    gap: "graph-label",
};

/** The side of a square, in pixels. */
const square = 9;

/**
 * Values by hand: hollow squares that no line joins.
 * @param {import("./model.js").GraphModel} model
 * @param {(time: number) => number} x
 * @param {(value: number) => number} y
 */
export function drawByHand(model, x, y) {
    const { byHand, period } = model;
    return svg(
        "g",
        null,
        byHand.filter(({ time }) => time >= period.from && time <= period.to)
            .map(({ time, value }) =>
                rect(x(time) - square / 2, y(value) - square / 2, square, square, {
                    class: "graph-by-hand",
                    "data-out": sideOf(value, rangeAt(model, time)) !== null,
                    rx: 2,
                })
            ),
    );
}

/**
 * Values without the probe's drift, and those of a second probe: dashed and dotted lines beside the one that was read.
 * @param {import("./model.js").GraphModel} model
 * @param {(time: number) => number} x
 * @param {(value: number) => number} y
 */
export function drawBeside({ corrected = [], second = [] }, x, y) {
    /** @param {string} name @param {readonly (readonly {time: number, value: number}[])[]} pieces */
    const lines = (name, pieces) => pieces.map((piece) => svg("path", { class: name, d: linePath(piece, x, y) }));
    return svg("g", null, lines("graph-corrected", corrected), lines("graph-second", second));
}

/** @param {import("../../drawing/captions.js").Caption} caption */
export function label({ kind, text, x, y, anchor }) {
    return svg("text", { class: classes[kind], x: rounded(x), y: rounded(y), "text-anchor": anchor }, text);
}
