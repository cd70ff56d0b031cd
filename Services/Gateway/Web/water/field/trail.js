/** The way that somebody walked during a survey: which positions are kept, where it has gaps, and how it is thinned before it is sent. */

import { median } from "../../words/numbers.js";

/** @typedef {{time: number, latitude: number, longitude: number, accuracy: number}} Fix accuracy: in metres. */
/** @typedef {readonly Fix[]} Segment Between two of them nobody listened. */

/** What is less certain is no part of a way, in metres. */
export const worst = 30;
const leastMetres = 5;
const leastMilliseconds = 10_000;
/** Longer without a position is a gap. */
const gap = 60_000;
/** So many points a sample has at most; this device keeps up to twice as many before it thins. */
const mostPoints = 5_000;
/** And so many stretches. */
const mostSegments = 20;
/** Metres of a degree of latitude, on a sphere of the earth's mean radius (6,371,008.8 m). */
const metresOfDegree = 111_195;

/**
 * The metres between two places that are near: on a plane that touches the earth there.
 * @param {{latitude: number, longitude: number}} one
 * @param {{latitude: number, longitude: number}} other
 */
export function metresBetween(one, other) {
    const north = (other.latitude - one.latitude) * metresOfDegree;
    const east = turn(other.longitude - one.longitude) * metresOfDegree * Math.cos((one.latitude + other.latitude) / 2 * Math.PI / 180);
    return Math.hypot(north, east);
}

/** The nearer way round. @param {number} degrees */
const turn = (degrees) => ((degrees + 540) % 360 + 360) % 360 - 180;

/**
 * The way with one more position, where that says something.
 * @param {readonly Segment[]} track
 * @param {Fix} fix
 * @param {boolean} begins Whether nobody listened before it.
 * @returns {readonly Segment[]} The same where it says nothing.
 */
export function walked(track, fix, begins) {
    if (!(fix.accuracy <= worst)) return track;
    const segment = track.at(-1);
    const last = segment?.at(-1);
    // Phones begin with what they last knew, and clocks are put back: a way goes on in time, also after its gaps.
    if (last && fix.time <= last.time) return track;
    if (!segment || !last || begins || fix.time - last.time > gap) return [...track, [fix]];
    if (metresBetween(last, fix) < leastMetres && fix.time - last.time < leastMilliseconds) return track;
    const next = [...track.slice(0, -1), [...segment, fix]];
    return countOf(next) > 2 * mostPoints ? thinned(next) : next;
}

/** @param {readonly Segment[]} track */
export const countOf = (track) => track.reduce((sum, { length }) => sum + length, 0);

/** The metres of a way; nothing is walked in its gaps. @param {readonly Segment[]} track */
export function lengthOf(track) {
    return track.reduce((sum, segment) => sum + segment.slice(1).reduce((metres, fix, index) => metres + metresBetween(segment[index], fix), 0), 0);
}

/** Its usual accuracy in metres; null of no way. @param {readonly Segment[]} track */
export function accuracyOf(track) {
    const all = track.flatMap((segment) => segment.map(({ accuracy }) => accuracy));
    return all.length === 0 ? null : median(all);
}

/**
 * A way without the points that lie within some metres of the line between their neighbours, and with so many points and stretches at most.
 * @param {readonly Segment[]} track
 * @param {number} [most]
 * @returns {Segment[]}
 */
export function thinned(track, most = mostPoints) {
    let tolerance = leastMetres;
    let thin = longest(track).map((segment) => simplified(segment, tolerance));
    while (countOf(thin) > most && thin.some(({ length }) => length > 2)) {
        tolerance *= 2;
        thin = thin.map((segment) => simplified(segment, tolerance));
    }
    return thin;
}

/** Of too many stretches those with the most points, in their order. @param {readonly Segment[]} track */
function longest(track) {
    if (track.length <= mostSegments) return track;
    const kept = new Set([...track].sort((one, other) => other.length - one.length).slice(0, mostSegments));
    return track.filter((segment) => kept.has(segment));
}

/**
 * A line with fewer points, by the rule of Douglas and Peucker (Cartographica 10, 1973), without recursion.
 * @param {Segment} segment
 * @param {number} tolerance In metres.
 * @returns {Fix[]}
 */
function simplified(segment, tolerance) {
    if (segment.length < 3) return [...segment];
    const scale = Math.cos(segment[0].latitude * Math.PI / 180) * metresOfDegree;
    // On a plane that touches the earth where the stretch begins: each point is looked at many times.
    const x = Float64Array.from(segment, ({ longitude }) => turn(longitude - segment[0].longitude) * scale);
    const y = Float64Array.from(segment, ({ latitude }) => (latitude - segment[0].latitude) * metresOfDegree);
    const kept = new Set([0, segment.length - 1]);
    const open = [[0, segment.length - 1]];
    for (let range = open.pop(); range; range = open.pop()) {
        const [first, last] = range;
        const [toX, toY] = [x[last] - x[first], y[last] - y[first]];
        const square = toX ** 2 + toY ** 2;
        let farthest = -1;
        // Squares of metres.
        let greatest = tolerance ** 2;
        for (let index = first + 1; index < last; index += 1) {
            const dx = x[index] - x[first];
            const dy = y[index] - y[first];
            const along = square === 0 ? 0 : Math.min(1, Math.max(0, (dx * toX + dy * toY) / square));
            const distance = (dx - along * toX) ** 2 + (dy - along * toY) ** 2;
            if (distance <= greatest) continue;
            farthest = index;
            greatest = distance;
        }
        if (farthest === -1) continue;
        kept.add(farthest);
        open.push([first, farthest], [farthest, last]);
    }
    return segment.filter((_, index) => kept.has(index));
}
