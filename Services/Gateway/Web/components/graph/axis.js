/**
 * The layers of a graph that tell times: the axis with its hours, nights, and the alerts on it.
 */

import { isFree } from "../../drawing/captions.js";
import { rounded } from "../../drawing/geometry.js";
import { svg } from "../../page/dom.js";

/** @typedef {import("./model.js").Frame} Frame */
/** @typedef {import("./model.js").GraphModel} GraphModel */

/**
 * The time axis; nights are a thicker stroke on it.
 * @param {GraphModel} model
 * @param {Frame} frame
 * @param {(time: number) => number} x
 * @param {readonly {time: number}[]} ticks
 * @param {readonly import("../../drawing/captions.js").Caption[]} captions
 */
export function drawAxis({ nights }, { left, right, bottom }, x, ticks, captions) {
    /** @type {Element[]} */
    const parts = [svg("path", { class: "graph-axis", d: `M${left} ${bottom}H${right}` })];
    for (const night of nights) {
        const [start, stop] = [Math.max(left, x(night.from)), Math.min(right, x(night.to))];
        if (stop - start < 2) continue;
        parts.push(svg("path", { class: "graph-night", d: `M${rounded(start)} ${bottom}H${rounded(stop)}` }));
        // The moon gives way to the name of a limit.
        if (stop - start > 24 && isFree({ left: start + 4, right: start + 20, top: bottom - 24, bottom: bottom - 8 }, captions)) {
            parts.push(svg("path", {
                class: "graph-moon",
                d: "M6.5 1.5a6.5 6.5 0 1 0 8 8 5.2 5.2 0 0 1-8-8z",
                transform: `translate(${rounded(start + 4)} ${bottom - 24})`,
            }));
        }
    }
    for (const { time } of ticks) parts.push(svg("path", { class: "graph-tick", d: `M${rounded(x(time))} ${bottom}v6` }));
    return svg("g", null, parts);
}

/** Filled triangles stand for what was outside, open ones, doubled, for what changed fast. Their tips tell the direction. */
const marks = {
    low: { path: "l-7 -11.5h14z", tip: 6, name: "graph-alert" },
    high: { path: "l-7 11.5h14z", tip: -6, name: "graph-alert" },
    fell: { path: "l-6 -6m6 6l6 -6m-6 -1l-6 -6m6 6l6 -6", tip: -4, name: "graph-alert-change" },
    rose: { path: "l-6 6m6 -6l6 6m-6 1l-6 6m6 -6l6 6", tip: -17, name: "graph-alert-change" },
};

/**
 * @param {GraphModel} model
 * @param {Frame} frame
 * @param {(time: number) => number} x
 */
export function drawAlerts(model, { left, right, bottom }, x) {
    return svg(
        "g",
        null,
        model.alerts.map(({ time, kind }) => {
            const place = rounded(x(time));
            if (place < left || place > right) return null;
            if (kind === "reminder") return svg("circle", { class: "graph-alert", cx: place, cy: bottom, r: 3 });
            const { path, tip, name } = marks[kind];
            return svg("path", { class: name, d: `M${place} ${bottom + tip}${path}` });
        }),
    );
}
