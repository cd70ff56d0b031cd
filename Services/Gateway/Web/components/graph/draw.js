/**
 * The drawing of a graph, layer by layer from the ground up.
 */

import { svg } from "../../app/dom.js";
import { apart, areaPath, envelopePath, linePath, outsideOf, rounded, scale, ticksOf } from "../../app/drawing.js";
import { sideOf } from "../../app/ranges.js";
import { cornersOf, gapsOf, runsOf } from "../../app/series.js";
import { hatching } from "../shape/shape.js";

/** @typedef {import("../../app/series.js").Period} Period */
/** @typedef {import("../../app/series.js").Point} Point */
/** @typedef {import("../../app/series.js").Series} Series */

/** @typedef {{time: number, kind: 'low' | 'high' | 'reminder'}} AlertMark */

/**
 * @typedef {object} GraphModel
 * @property {Series} series
 * @property {Period} period What is shown.
 * @property {Period} whole What can be shown.
 * @property {number} now
 * @property {boolean} isLive Whether the period ends now.
 * @property {import("../../app/ranges.js").Range} range
 * @property {{low: number, high: number}} domain
 * @property {boolean} hasEnvelope
 * @property {boolean} isOld
 * @property {readonly AlertMark[]} alerts
 * @property {readonly Period[]} nights
 * @property {string} label
 * @property {{minimum: string, maximum: string, now: string, noData: string, nothing: string, whole: string}} words
 * @property {(value: number) => string} number
 * @property {(value: number) => string} limit
 * @property {(time: number) => string} clock
 * @property {(most: number) => readonly {time: number, text: string}[]} timeTicks
 * @property {(gap: Period) => string} gapText
 * @property {(point: Point, time: number) => string} readOut
 */

/** @typedef {{left: number, right: number, top: number, bottom: number}} Frame */

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
        ground(model, frame, y),
        limits(model, frame, y),
        holes(model, frame, x, gaps),
        svg("g", { "clip-path": `url(#${plotClip})` }, lines(model, frame, x, y, clip)),
        names(model, frame, y),
        numbers(model, frame, y),
        axis(model, frame, x, y, size.height),
        alerts(model, frame, x),
        end(model, x, y),
    );
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {Record<string, unknown>} [more]
 */
function rect(x, y, width, height, more = {}) {
    return svg("rect", { x: rounded(x), y: rounded(y), width: rounded(Math.max(0, width)), height: rounded(Math.max(0, height)), ...more });
}

/**
 * @param {string} className
 * @param {number} x
 * @param {number} y
 * @param {string} text
 * @param {'start' | 'middle' | 'end'} anchor
 */
function label(className, x, y, text, anchor) {
    return svg("text", { class: className, x: rounded(x), y: rounded(y), "text-anchor": anchor }, text);
}

/**
 * The band between the limits, and the grid.
 * @param {GraphModel} model
 * @param {Frame} frame
 * @param {(value: number) => number} y
 */
function ground({ range, domain }, { left, right, top, bottom }, y) {
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
function limits({ range }, { left, right, top, bottom }, y) {
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
function names({ range, words }, { left, top, bottom }, y) {
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
 * What nobody measured, hatched over the whole height.
 * @param {GraphModel} model
 * @param {Frame} frame
 * @param {(time: number) => number} x
 * @param {readonly Period[]} gaps
 */
function holes({ series, gapText }, { left, right, top, bottom }, x, gaps) {
    if (series.points.length === 0) return null;
    /** @type {Element[]} */
    const parts = [];
    /** @type {{place: number, text: string, width: number}[]} */
    const texts = [];
    for (const gap of gaps) {
        const [start, stop] = [Math.max(left, x(gap.from)), Math.min(right, x(gap.to))];
        if (stop - start < 1.5) continue;
        parts.push(
            rect(start, top, stop - start, bottom - top, { class: "graph-gap" }),
            rect(start, top, stop - start, bottom - top, { fill: hatching() }),
        );
        const text = gapText(gap);
        texts.push({ place: (start + stop) / 2, text, width: stop - start });
    }
    // The widest gaps are named; their names do not touch.
    texts.sort((one, other) => other.width - one.width);
    for (const { place, text } of apart(texts, 150)) {
        const half = text.length * 3.4;
        const middle = Math.min(right + 40 - half, Math.max(left + half, place));
        parts.push(label("graph-label", middle, top - 8, text, "middle"));
    }
    return svg("g", null, parts);
}

/**
 * Envelope, area outside, line, and the part of the line beyond a limit.
 * @param {GraphModel} model
 * @param {Frame} frame
 * @param {(time: number) => number} x
 * @param {(value: number) => number} y
 * @param {string} clip
 */
function lines({ series, range, hasEnvelope, period }, frame, x, y, clip) {
    const outside = outsideOf(range, y, { top: frame.top - 2, bottom: frame.bottom + 2 }, 3);
    const parts = [outside.above, outside.below].filter((part) => part !== null);
    /** @type {Element[]} */
    const drawn = [
        svg(
            "clipPath",
            { id: clip },
            parts.map(({ top, height }) => rect(frame.left - 4, top, frame.right - frame.left + 8, height)),
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
        const corners = cornersOf(near, series, hasEnvelope);
        if (hasEnvelope && series.step > 0) {
            const envelope = envelopePath(near, series, x, y);
            drawn.push(svg("path", { class: "graph-envelope", d: envelope }));
            if (parts.length > 0) drawn.push(svg("path", { class: "graph-area", d: envelope, ...only }));
        } else if (parts.length > 0) {
            for (const limit of [range.minimum, range.maximum]) {
                if (limit === null) continue;
                const beyond = limit === range.minimum ? outside.below : outside.above;
                if (beyond) drawn.push(areaOf(corners, limit, beyond, frame, x, y, `${clip}-${limit === range.minimum ? "low" : "high"}-${drawn.length}`));
            }
        }
        const d = linePath(corners, x, y);
        drawn.push(svg("path", { class: "graph-line", d }));
        if (parts.length > 0) drawn.push(svg("path", { class: "graph-out", d, ...only }));
    }
    return drawn;
}

/**
 * The area between the line and one limit, on its outer side only.
 * @param {readonly import("../../app/series.js").Sample[]} corners
 * @param {number} limit
 * @param {{top: number, height: number}} beyond
 * @param {Frame} frame
 * @param {(time: number) => number} x
 * @param {(value: number) => number} y
 * @param {string} id
 */
function areaOf(corners, limit, beyond, frame, x, y, id) {
    return svg(
        "g",
        null,
        svg("clipPath", { id }, rect(frame.left - 4, beyond.top, frame.right - frame.left + 8, beyond.height)),
        svg("path", { class: "graph-area", d: areaPath(corners, limit, x, y), "clip-path": `url(#${id})` }),
    );
}

/**
 * Numbers at the right: limits in bold, then ticks that do not touch them.
 * @param {GraphModel} model
 * @param {Frame} frame
 * @param {(value: number) => number} y
 */
function numbers({ range, domain, number, limit }, { right, top, bottom }, y) {
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

/**
 * The time axis; nights are a thicker stroke on it.
 * @param {GraphModel} model
 * @param {Frame} frame
 * @param {(time: number) => number} x
 * @param {(value: number) => number} y
 * @param {number} height
 */
function axis({ timeTicks, nights, isLive, words, range }, { left, right, bottom }, x, y, height) {
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
        const half = tick.text.length * 3.6;
        if (place - half < left - 6 || (isLive && place + half > right - words.now.length * 7.5 - 10) || place + half > right + 40) continue;
        parts.push(label("graph-label", place, text, tick.text, "middle"));
    }
    if (isLive) parts.push(label("graph-label graph-label-limit", right, text, words.now, "end"));
    return svg("g", null, parts);
}

/**
 * @param {GraphModel} model
 * @param {Frame} frame
 * @param {(time: number) => number} x
 */
function alerts(model, { left, right, bottom }, x) {
    return svg(
        "g",
        null,
        model.alerts.map(({ time, kind }) => {
            const place = rounded(x(time));
            if (place < left || place > right) return null;
            if (kind === "reminder") return svg("circle", { class: "graph-alert", cx: place, cy: bottom, r: 3 });
            const d = kind === "low" ? "l-7 -11.5h14z" : "l-7 11.5h14z";
            const tip = kind === "low" ? bottom + 6 : bottom - 6;
            return svg("path", { class: "graph-alert", d: `M${place} ${tip}${d}` });
        }),
    );
}

/**
 * The last point.
 * @param {GraphModel} model
 * @param {(time: number) => number} x
 * @param {(value: number) => number} y
 */
function end({ series, range, isOld, hasEnvelope, period }, x, y) {
    const last = series.points.at(-1);
    const corner = last && cornersOf([last], series, hasEnvelope).at(-1);
    if (!corner || corner.time < period.from || corner.time > period.to) return null;
    return svg("circle", {
        class: "graph-end",
        "data-out": sideOf(corner.value, range) !== null,
        "data-old": isOld,
        cx: rounded(x(corner.time)),
        cy: rounded(y(corner.value)),
        r: 5.75,
    });
}
