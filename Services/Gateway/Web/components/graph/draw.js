/**
 * The drawing of a graph, layer by layer from the ground up.
 */

import { captionsOf, framed } from "../../drawing/captions.js";
import { usual } from "../../drawing/labels.js";
import { scale, ticksOf } from "../../drawing/geometry.js";
import { svg } from "../../page/dom.js";
import { gapsOf, worksOf } from "../../water/runs.js";
import { drawAlerts, drawAxis } from "./axis.js";
import { drawFlagged, drawGaps, drawLast, drawLines, drawWorks, gapsWithin, worksWithin } from "./course.js";
import { drawBeside, drawByHand, label, rect } from "./marks.js";
import { drawGround, drawLimits } from "./range.js";

/** @typedef {import("./model.js").Frame} Frame */
/** @typedef {import("./model.js").GraphModel} GraphModel */

/**
 * The plot within a drawing, with room for all its numbers.
 * @param {GraphModel} model
 * @param {{width: number, height: number}} size
 * @param {number} em
 * @param {{top: number, bottom: number, right: number}} edges
 */
export function frameOf({ domain, range, number, limit }, size, em, edges) {
    const limits = [range.maximum, range.minimum].flatMap((value) => value === null ? [] : [limit(value)]);
    return framed(size, em, [...ticksOf(domain.low, domain.high).map(number), ...limits], edges);
}

/**
 * @param {GraphModel} model
 * @param {Frame} frame
 * @param {{width: number, height: number}} size
 * @param {string} clip A name for the clip of what is outside.
 * @param {number} [em] The size of its text.
 * @returns {SVGSVGElement}
 */
export function drawGraph(model, frame, size, clip, em = usual) {
    const { period, domain, range, limit, number, words, isLive } = model;
    const x = scale(period.from, period.to, frame.left, frame.right);
    const y = scale(domain.low, domain.high, frame.bottom, frame.top);
    const gaps = gapsWithin(model, frame, x, gapsOf(model.series, period));
    const works = worksWithin(model, frame, x, worksOf(model.series, period));
    const ticks = model.timeTicks(Math.max(2, Math.floor((frame.right - frame.left) / (60 * Math.max(1, em / usual)))));
    const mark = (/** @type {number | null} */ value) => value === null ? null : { place: y(value), text: limit(value) };
    const captions = captionsOf({
        frame,
        size,
        em,
        limits: { maximum: mark(range.maximum), minimum: mark(range.minimum) },
        names: words,
        ticks: ticksOf(domain.low, domain.high).map((value) => ({ place: y(value), text: number(value) })),
        times: ticks.map(({ time, text }) => ({ place: x(time), text })),
        now: isLive ? words.now : null,
        gaps: [...gaps, ...works],
    });
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
        drawGround(model, frame, x, y),
        drawLimits(model, frame, x, y),
        drawGaps(gaps, frame),
        drawWorks(works, frame),
        svg("g", { "clip-path": `url(#${plotClip})` }, drawLines(model, frame, x, y, clip), drawBeside(model, x, y)),
        drawFlagged(model, frame, x),
        drawAxis(model, frame, x, ticks, captions),
        svg("g", null, captions.map(label)),
        svg("g", { "clip-path": `url(#${plotClip})` }, drawByHand(model, x, y)),
        drawAlerts(model, frame, x),
        drawLast(model, x, y),
    );
}
