/**
 * The layers of a graph that tell times: the axis with its hours, nights, and the alerts on it.
 */

import { svg } from "../../app/dom.js";
import { rounded } from "../../app/drawing.js";
import { label, widthOf } from "./marks.js";

/** @typedef {import("./model.js").Frame} Frame */
/** @typedef {import("./model.js").GraphModel} GraphModel */

/**
 * The time axis; nights are a thicker stroke on it.
 * @param {GraphModel} model
 * @param {Frame} frame
 * @param {(time: number) => number} x
 * @param {(value: number) => number} y
 * @param {number} height
 */
export function drawAxis({ timeTicks, nights, isLive, words, range }, { left, right, bottom }, x, y, height) {
    const isLow = range.minimum !== null && y(range.minimum) > bottom - 44;
    /** @type {Element[]} */
    const parts = [svg("path", { class: "graph-axis", d: `M${left} ${bottom}H${right}` })];
    for (const night of nights) {
        const [start, stop] = [Math.max(left, x(night.from)), Math.min(right, x(night.to))];
        if (stop - start < 2) continue;
        parts.push(svg("path", { class: "graph-night", d: `M${rounded(start)} ${bottom}H${rounded(stop)}` }));
        // The moon gives way to the name of a limit.
        if (stop - start > 24 && (start > left + 44 || !isLow)) {
            parts.push(svg("path", {
                class: "graph-moon",
                d: "M6.5 1.5a6.5 6.5 0 1 0 8 8 5.2 5.2 0 0 1-8-8z",
                transform: `translate(${rounded(start + 4)} ${bottom - 24})`,
            }));
        }
    }
    const text = height - 12;
    for (const tick of timeTicks(Math.max(2, Math.floor((right - left) / 60)))) {
        const place = x(tick.time);
        parts.push(svg("path", { class: "graph-tick", d: `M${rounded(place)} ${bottom}v6` }));
        const half = widthOf(tick.text) / 2;
        if (place - half < left - 6 || (isLive && place + half > right - widthOf(words.now) - 10) || place + half > right + 40) continue;
        parts.push(label("graph-label", place, text, tick.text, "middle"));
    }
    if (isLive) parts.push(label("graph-label graph-label-limit", right, text, words.now, "end"));
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
