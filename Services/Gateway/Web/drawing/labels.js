/**
 * How wide a text is, and where a few labels stand beside small drawings and lines. Lengths are CSS pixels.
 */

/** The size of text for which the other lengths are. */
export const usual = 13;

/** Characters narrower, or wider, than digits and most letters. */
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
