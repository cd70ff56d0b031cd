/**
 * The layers of a graph that tell what was measured: the line, its envelope, what is outside, the gaps, the last point.
 */

import { areaPath, envelopePath, linePath, outsideOf, rounded } from "../../drawing/geometry.js";
import { svg } from "../../page/dom.js";
import { rangeAt } from "../../water/periods.js";
import { sideOf } from "../../water/ranges.js";
import { piecesOf, runsOf } from "../../water/runs.js";
import { cornersOf, flaggedOf } from "../../water/series.js";
import { combing, hatching } from "../shape/shape.js";
import { rect } from "./marks.js";
import { stretchesOf } from "./range.js";

/** @typedef {import("../../water/series.js").Period} Period */
/** @typedef {import("./model.js").Frame} Frame */
/** @typedef {import("./model.js").GraphModel} GraphModel */

/**
 * Where nobody measured, as far as it is seen.
 * @param {GraphModel} model
 * @param {Frame} frame
 * @param {(time: number) => number} x
 * @param {readonly Period[]} gaps
 */
export function gapsWithin({ series, gapText }, { left, right }, x, gaps) {
    if (series.points.length === 0) return [];
    return gaps.flatMap((gap) => {
        const [start, stop] = [Math.max(left, x(gap.from)), Math.min(right, x(gap.to))];
        return stop - start < 1.5 ? [] : [{ start, width: stop - start, place: (start + stop) / 2, text: gapText(gap) }];
    });
}

/**
 * Gaps, hatched over the whole height.
 * @param {ReturnType<typeof gapsWithin>} gaps
 * @param {Frame} frame
 */
export function drawGaps(gaps, { top, bottom }) {
    return svg(
        "g",
        null,
        gaps.flatMap(({ start, width }) => [
            rect(start, top, width, bottom - top, { class: "graph-gap" }),
            rect(start, top, width, bottom - top, { fill: hatching() }),
        ]),
    );
}

/**
 * Work on the water, as far as it is seen.
 * @param {GraphModel} model
 * @param {Frame} frame
 * @param {(time: number) => number} x
 * @param {readonly Period[]} works
 */
export function worksWithin({ workText = "" }, { left, right }, x, works) {
    return works.flatMap(({ from, to }) => {
        const [start, stop] = [Math.max(left, x(from)), Math.min(right, x(to))];
        return stop - start < 1.5 ? [] : [{ start, width: stop - start, place: (start + stop) / 2, text: workText }];
    });
}

/**
 * Work, as a comb over the whole height.
 * @param {ReturnType<typeof worksWithin>} works
 * @param {Frame} frame
 */
export function drawWorks(works, { top, bottom }) {
    return svg("g", null, works.map(({ start, width }) => rect(start, top, width, bottom - top, { fill: combing() })));
}

/**
 * Envelope, area outside, line, and the part of the line beyond a limit.
 * @param {GraphModel} model
 * @param {Frame} frame
 * @param {(time: number) => number} x
 * @param {(value: number) => number} y
 * @param {string} clip
 */
export function drawLines(model, frame, x, y, clip) {
    const { series, hasEnvelope, period } = model;
    const stretches = stretchesOf(model, frame, x);
    // Half a stroke more at both edges of the plot.
    const parts = stretches.flatMap(({ left, right, minimum, maximum }) => {
        const { above, below } = outsideOf({ minimum, maximum }, y, { top: frame.top - 2, bottom: frame.bottom + 2 }, 3);
        const [start, stop] = [left === frame.left ? left - 4 : left, right === frame.right ? right + 4 : right];
        return /** @type {const} */ ([[maximum, above, "high"], [minimum, below, "low"]])
            .flatMap(([limit, beyond, side]) => limit === null || beyond === null ? [] : [{ limit, side, x: start, width: stop - start, ...beyond }]);
    });
    /** @type {Element[]} */
    const drawn = [
        svg(
            "clipPath",
            { id: clip },
            parts.map((part) => rect(part.x, part.top, part.width, part.height)),
        ),
    ];
    const only = { "clip-path": `url(#${clip})` };
    for (const run of runsOf(series)) {
        const near = run.filter((_, index) => {
            const next = run[Math.min(run.length - 1, index + 1)].time;
            const previous = run[Math.max(0, index - 1)].time;
            return next + series.step >= period.from && previous <= period.to;
        });
        if (near.length === 0) continue;
        for (const { points, isWorked } of piecesOf(near)) {
            const corners = cornersOf(points, series, hasEnvelope);
            // What was measured in work is neither good nor bad.
            if (isWorked) drawn.push(svg("path", { class: "graph-worked", d: linePath(corners, x, y) }));
            else drawn.push(...pieceOf(points, corners));
        }
    }
    return drawn;

    /**
     * @param {import("../../water/series.js").Point[]} points
     * @param {import("../../water/series.js").Sample[]} corners
     */
    function pieceOf(points, corners) {
        /** @type {Element[]} */
        const drawn = [];
        if (hasEnvelope && series.step > 0) {
            const envelope = envelopePath(points, series, x, y);
            drawn.push(svg("path", { class: "graph-envelope", d: envelope }));
            if (parts.length > 0) drawn.push(svg("path", { class: "graph-area", d: envelope, ...only }));
        } else if (parts.length > 0) {
            const [first, last] = [x(points[0].time), x(points[points.length - 1].time)];
            parts.forEach((part, index) => {
                if (part.x > last || part.x + part.width < first) return;
                drawn.push(areaOf(corners, part, x, y, `${clip}-${part.side}-${index}-${points[0].time}`));
            });
        }
        const d = linePath(corners, x, y);
        drawn.push(svg("path", { class: "graph-line", d }));
        if (parts.length > 0) drawn.push(svg("path", { class: "graph-out", d, ...only }));
        return drawn;
    }
}

/**
 * The area between the line and one limit, on its outer side only.
 * @param {readonly import("../../water/series.js").Sample[]} corners
 * @param {{limit: number, x: number, width: number, top: number, height: number}} part What is beyond the limit.
 * @param {(time: number) => number} x
 * @param {(value: number) => number} y
 * @param {string} id
 */
function areaOf(corners, part, x, y, id) {
    return svg(
        "g",
        null,
        svg("clipPath", { id }, rect(part.x, part.top, part.width, part.height)),
        svg("path", { class: "graph-area", d: areaPath(corners, part.limit, x, y), "clip-path": `url(#${id})` }),
    );
}

/**
 * What is flagged, as a bar at the foot of the plot: full where it failed, hollow where it is suspect. One value is as wide as the
 * bar is high.
 * @param {GraphModel} model
 * @param {Frame} frame
 * @param {(time: number) => number} x
 */
export function drawFlagged({ series, period }, { left, right, bottom }, x) {
    const height = 5;
    return svg(
        "g",
        null,
        flaggedOf(series).filter(({ from, to }) => to >= period.from && from <= period.to).map(({ from, to, isFail }) => {
            const [start, stop] = [Math.max(left, x(from)), Math.min(right, x(to))];
            const width = Math.max(height, stop - start);
            return rect((start + stop - width) / 2, bottom - height - 1, width, height, { class: "graph-flagged", "data-fail": isFail });
        }),
    );
}

/**
 * The last point.
 * @param {GraphModel} model
 * @param {(time: number) => number} x
 * @param {(value: number) => number} y
 */
export function drawLast(model, x, y) {
    const { series, isOld, hasEnvelope, period } = model;
    const last = series.points.at(-1);
    const corner = last && cornersOf([last], series, hasEnvelope).at(-1);
    if (!corner || corner.time < period.from || corner.time > period.to) return null;
    return svg("circle", {
        class: "graph-end",
        "data-worked": last.isWorked ?? false,
        "data-out": !last.isWorked && sideOf(corner.value, rangeAt(model, corner.time)) !== null,
        "data-old": isOld,
        cx: rounded(x(corner.time)),
        cy: rounded(y(corner.value)),
        r: 5.75,
    });
}
