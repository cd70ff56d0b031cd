/**
 * Where the captions of a graph stand: numbers at the right, the names of limits, times below, gaps above. None touches another, and none
 * leaves the drawing, whatever the values, the width and the size of the text. Lengths are CSS pixels, y grows downwards.
 */

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

/** The size of text for which the other lengths are. */
export const usual = 13;
/** The heads and feet of letters, as shares of their size. */
const [ascent, descent] = [0.8, 0.25];

/** What is narrower, or wider, than digits and most letters. */
const narrow = /[\s.,:;'|·()iljt-]/;
const wide = /[mwMW–—]/;

/**
 * About as wide as a text is in the widest of the system's faces, in bold.
 * @param {string} text
 * @param {number} em
 */
export function widthOf(text, em) {
    let width = 0;
    for (const character of text) width += character >= "\u2e80" ? 1 : narrow.test(character) ? 0.4 : wide.test(character) ? 0.95 : 0.7;
    return width * em;
}

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

/**
 * Where the numbers of two limits stand beside a small drawing: at the edges of its box, but never on one another.
 * @param {{top: number, height: number}} box
 * @param {number} height Of the drawing.
 * @param {number} em
 * @returns {{upper: number, lower: number, height: number}} Their upper edges, in a place so high, of which the drawing is the middle.
 */
export function besideBox(box, height, em) {
    const line = em * 15 / usual;
    const whole = Math.max(height, 2 * line);
    const top = box.top + (whole - height) / 2;
    const upper = Math.min(whole - 2 * line, Math.max(0, top - 2));
    return { upper, lower: Math.min(whole - line, Math.max(top + box.height - line + 1, upper + line)), height: whole };
}

/**
 * Captions at the ends of a line that give way to one on it.
 * @param {object} what
 * @param {number} what.width
 * @param {number} what.em
 * @param {string} what.start
 * @param {string} what.end
 * @param {{text: string, share: number} | null} what.begin
 * @returns {{place: number, start: boolean, end: boolean}} Where its middle is, and who gives way.
 */
export function crowdedBy({ width, em, start, end, begin }) {
    if (begin === null) return { place: 0, start: false, end: false };
    // No nearer to an end than the style sheet lets it stand.
    const half = Math.max(widthOf(begin.text, em) / 2, 1.85 * em);
    const place = Math.max(half, Math.min(width - half, begin.share * width));
    return {
        place,
        start: place - half < widthOf(start, em) + 8,
        end: place + half > width - widthOf(end, em) - 8,
    };
}
