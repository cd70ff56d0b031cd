/**
 * Where the captions of a graph stand: numbers at the right, the names of limits, times below, gaps above. None touches another, and none
 * leaves the drawing, whatever the values, the width and the size of the text. Lengths are CSS pixels, y grows downwards.
 */

import { usual, widthOf } from "./labels.js";

/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */
/** @typedef {{left: number, right: number, top: number, bottom: number}} Frame */
/** @typedef {'limit' | 'tick' | 'name' | 'time' | 'now' | 'gap'} CaptionKind */
/** @typedef {{kind: CaptionKind, text: string, x: number, y: number, anchor: 'start' | 'middle' | 'end', box: Box}} Caption y: of its baseline. */
/** @typedef {{place: number, text: string}} Mark */

/**
 * @typedef {object} Captioned
 * @property {Frame} frame
 * @property {{width: number, height: number}} size
 * @property {number} em The size of the text.
 * @property {{maximum: Mark | null, minimum: Mark | null}} limits Their places, and their numbers.
 * @property {{maximum: string, minimum: string}} names
 * @property {readonly Mark[]} ticks
 * @property {readonly Mark[]} times
 * @property {string | null} now What the right end is called, where it is now.
 * @property {readonly (Mark & {width: number})[]} gaps Their middles.
 */

/** The heads and feet of letters, as shares of their size. */
const [ascent, descent] = [0.8, 0.25];

/**
 * The plot within a drawing: at the right there is room for the numbers, above for what is read out and for gaps, below for times.
 * @param {{width: number, height: number}} size
 * @param {number} em
 * @param {readonly string[]} numbers All that may stand at the right.
 * @param {{top: number, bottom: number, right: number}} edges For text of the usual size.
 * @returns {Frame}
 */
export function framed({ width, height }, em, numbers, edges) {
    const larger = Math.max(1, em / usual);
    const gutter = Math.max(edges.right * larger, ...numbers.map((text) => widthOf(text, em) + 8));
    return {
        left: 0,
        // Never more than half of it is for numbers.
        right: Math.max(1, width - Math.min(gutter, width / 2)),
        top: edges.top * larger,
        bottom: Math.max(edges.top * larger + 1, height - edges.bottom * larger),
    };
}

/**
 * @param {Captioned} what
 * @returns {Caption[]} What counts most comes first; what has no room is left out.
 */
export function captionsOf({ frame, size, em, limits, names, ticks, times, now, gaps }) {
    const { left, right, top, bottom } = frame;
    /** @type {Caption[]} */
    const placed = [];

    /**
     * @param {CaptionKind} kind
     * @param {string} text
     * @param {number} x
     * @param {number} y
     * @param {Caption['anchor']} anchor
     */
    const at = (kind, text, x, y, anchor) => {
        const width = widthOf(text, em);
        const start = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
        return { kind, text, x, y, anchor, box: { left: start, right: start + width, top: y - ascent * em, bottom: y + descent * em } };
    };

    /**
     * Takes the first of several places that is free.
     * @param {Box} within
     * @param {number} apart
     * @param {...Caption} places
     */
    const put = (within, apart, ...places) => {
        if (places[0].text === "") return;
        const free = places.find(({ box }) =>
            box.left >= within.left && box.right <= within.right && box.top >= within.top && box.bottom <= within.bottom &&
            placed.every((other) => isApart(box, other.box, apart))
        );
        if (free) placed.push(free);
    };

    const whole = { left: 0, right: size.width, top: 0, bottom: size.height };
    const isShown = (/** @type {Mark | null} */ mark) => mark !== null && mark.place > top - em / 2 && mark.place < bottom + 1;
    // Both limits have their numbers, however near they are.
    const [upper, lower] = spread(limits.maximum?.place ?? null, limits.minimum?.place ?? null, em * (ascent + descent) + 2, frame);
    for (const [mark, place] of /** @type {const} */ ([[limits.maximum, upper], [limits.minimum, lower]])) {
        if (mark && place !== null && isShown(mark)) put(whole, 1, at("limit", mark.text, size.width - 4, place + 0.35 * em, "end"));
    }
    for (const side of /** @type {const} */ (["maximum", "minimum"])) {
        const mark = limits[side];
        if (!mark || !isShown(mark)) continue;
        const [above, below] = [mark.place - 0.46 * em, mark.place + 1.2 * em];
        const [first, second] = side === "maximum" ? [above, below] : [below, above];
        const inside = { left, right, top: top - 1.5 * em, bottom };
        put(
            inside,
            2,
            at("name", names[side], left + 4, first, "start"),
            at("name", names[side], left + 4, second, "start"),
            at("name", names[side], right - 4, first, "end"),
            at("name", names[side], right - 4, second, "end"),
        );
    }
    for (const { place, text } of ticks) {
        if (place > top - em / 2 && place < bottom - em / 3) put(whole, 3, at("tick", text, size.width - 4, place + 0.35 * em, "end"));
    }
    const foot = size.height - 0.9 * em;
    if (now !== null) put(whole, 8, at("now", now, right, foot, "end"));
    for (const { place, text } of times) put(whole, 8, at("time", text, place, foot, "middle"));
    // The widest gaps are named.
    for (const { place, text } of [...gaps].sort((one, other) => other.width - one.width)) {
        const half = widthOf(text, em) / 2;
        put(whole, 12, at("gap", text, Math.min(size.width - 4 - half, Math.max(left + half, place)), top - 0.6 * em, "middle"));
    }
    return placed;
}

/**
 * Whether nothing stands in a place.
 * @param {Box} box
 * @param {readonly Caption[]} captions
 */
export function isFree(box, captions) {
    return captions.every((caption) => isApart(box, caption.box, 2));
}

/**
 * @param {Box} one
 * @param {Box} other
 * @param {number} apart
 */
function isApart(one, other, apart) {
    return one.right + apart <= other.left || other.right + apart <= one.left || one.bottom <= other.top || other.bottom <= one.top;
}

/**
 * Two places, moved away from each other until they are so far apart.
 * @param {number | null} upper
 * @param {number | null} lower
 * @param {number} distance
 * @param {Frame} frame
 * @returns {[number | null, number | null]}
 */
function spread(upper, lower, distance, { top, bottom }) {
    if (upper === null || lower === null || lower - upper >= distance) return [upper, lower];
    const middle = Math.min(bottom - distance / 2, Math.max(top + distance / 2, (upper + lower) / 2));
    return [middle - distance / 2, middle + distance / 2];
}
