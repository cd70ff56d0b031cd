/** How large photos are made, and in which steps until they are small enough to be sent and kept. */

/** The longer side of a photo and of its small one, in pixels. */
export const largest = { photo: 1_600, small: 320 };
/** So many bytes they have at most, as the service takes them. */
export const heaviest = { photo: 300_000, small: 40_000 };
/** So many an entry has at most. */
export const mostPhotos = 6;

/** Qualities of JPEG that are tried, the best first. */
const qualities = [0.82, 0.74, 0.66, 0.58, 0.5];
/** Where none of them is small enough, the picture is. */
const shrinking = 0.8;
/** Nothing is made smaller than this for its bytes. */
const least = 160;

/**
 * A size within a square, in the same proportions; what is smaller stays.
 * @param {{width: number, height: number}} size
 * @param {number} most
 */
export function fitted({ width, height }, most) {
    const scale = Math.min(1, most / Math.max(width, height));
    return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * The steps that are tried one after the other: first less quality, then fewer pixels.
 * @param {{width: number, height: number}} size Of the picture.
 * @param {number} most Of the longer side.
 * @returns {{width: number, height: number, quality: number}[]}
 */
export function steps(size, most) {
    const tried = [];
    let side = Math.min(most, Math.max(size.width, size.height));
    do {
        for (const quality of qualities) tried.push({ ...fitted(size, side), quality });
        side = Math.floor(side * shrinking);
    } while (side >= least);
    return tried;
}

/**
 * Whether a file is a photo of an iPhone's own format, which few browsers read: by its brand, whatever its name says.
 * @param {Uint8Array} head Its first bytes, twelve at least.
 */
export function isHEIC(head) {
    const text = String.fromCharCode(...head.subarray(4, 12));
    return /^ftyp(heic|heix|hevc|heim|heis|mif1|msf1)$/.test(text);
}
