/**
 * The drawing of a graph, layer by layer from the ground up.
 */

import { svg } from "../../app/dom.js";
import { scale } from "../../app/drawing.js";
import { gapsOf } from "../../app/runs.js";
import { drawAlerts, drawAxis } from "./axis.js";
import { drawFlagged, drawGaps, drawLast, drawLines } from "./course.js";
import { drawGround, drawLimits, drawNames, drawNumbers } from "./range.js";
import { rect } from "./marks.js";

/** @typedef {import("./model.js").Frame} Frame */
/** @typedef {import("./model.js").GraphModel} GraphModel */

/**
 * @param {GraphModel} model
 * @param {Frame} frame
 * @param {{width: number, height: number}} size
 * @param {string} clip A name for the clip of what is outside.
 * @returns {SVGSVGElement}
 */
export function drawGraph(model, frame, size, clip) {
    const { period, domain } = model;
    const x = scale(period.from, period.to, frame.left, frame.right);
    const y = scale(domain.low, domain.high, frame.bottom, frame.top);
    const gaps = gapsOf(model.series, period);
    const plotClip = `${clip}-plot`;
    return svg(
        "svg",
        {
            class: "graph-svg",
            width: size.width,
            height: size.height,
            viewBox: `0 0 ${size.width} ${size.height}`,
            "aria-hidden": "true",
        },
        svg("clipPath", { id: plotClip }, rect(frame.left, frame.top - 2, frame.right - frame.left + 0.5, frame.bottom - frame.top + 4)),
        drawGround(model, frame, y),
        drawLimits(model, frame, y),
        drawGaps(model, frame, x, gaps),
        svg("g", { "clip-path": `url(#${plotClip})` }, drawLines(model, frame, x, y, clip)),
        drawFlagged(model, frame, x),
        drawNames(model, frame, y),
        drawNumbers(model, frame, y),
        drawAxis(model, frame, x, y, size.height),
        drawAlerts(model, frame, x),
        drawLast(model, x, y),
    );
}
