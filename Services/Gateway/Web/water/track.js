/** Where a device that moves was, and what its water was like there. */

import { sideOf } from "./ranges.js";

/** @typedef {{time: string, latitude: number, longitude: number, accuracy: number | null}} Position As the service says it. */

/**
 * @typedef {object} TrackPlace
 * @property {number} time
 * @property {number} latitude
 * @property {number} longitude
 * @property {number | null} accuracy In metres.
 * @property {number | null} value In the person's unit.
 */

/** How a value stands by the limits: below, above or within them; null: no value. @typedef {'low' | 'high' | 'within' | null} Standing */

/** Longer without a position: one an hour is kept of what stands still, and may come a message late. No line crosses that. */
const longestPause = 65 * 60_000;
/** How many shades tell values within the limits apart. */
export const shades = 5;

/**
 * The service's answer about a track.
 * @param {{points: {position: Position, value: number | null}[]}} data
 * @returns {TrackPlace[]}
 */
export function placesOf({ points }) {
    return points.map(({ position: { time, latitude, longitude, accuracy }, value }) => ({
        time: Date.parse(time),
        latitude,
        longitude,
        accuracy,
        value,
    }));
}

/**
 * The places cut where nothing was heard for too long.
 * @template {{time: number}} P
 * @param {readonly P[]} places Oldest first.
 * @param {number} [step] The usual time between two of them, where only some of all are shown.
 * @returns {P[][]}
 */
export function stretchesOf(places, step = 0) {
    const pause = Math.max(longestPause, 3 * step);
    /** @type {P[][]} */
    const stretches = [];
    for (const place of places) {
        const stretch = stretches.at(-1);
        const last = stretch?.at(-1);
        if (stretch && last && place.time - last.time <= pause) stretch.push(place);
        else stretches.push([place]);
    }
    return stretches;
}

/**
 * @param {TrackPlace} place
 * @param {Parameters<typeof sideOf>[1] | null} range The limits; null: none are known.
 * @returns {Standing}
 */
export function standingOf({ value }, range) {
    if (value === null) return null;
    return (range && sideOf(value, range)) ?? "within";
}

/**
 * The least and the greatest value along a track that is within the limits; null: it has none.
 * @param {readonly TrackPlace[]} places
 * @param {Parameters<typeof sideOf>[1] | null} range
 * @returns {{low: number, high: number} | null}
 */
export function domainOf(places, range) {
    let domain = null;
    for (const place of places) {
        const { value } = place;
        if (value === null || standingOf(place, range) !== "within") continue;
        domain = domain ? { low: Math.min(domain.low, value), high: Math.max(domain.high, value) } : { low: value, high: value };
    }
    return domain;
}

/**
 * The shade of a value: 0 for the least along the track, `shades` - 1 for the greatest.
 * @param {number} value
 * @param {{low: number, high: number}} domain
 */
export function shadeOf(value, { low, high }) {
    if (high <= low) return shades - 1;
    return Math.min(shades - 1, Math.max(0, Math.floor((value - low) / (high - low) * shades)));
}

/**
 * The place nearest to a point of a drawing; null: none is near.
 * @param {readonly {x: number, y: number}[]} points
 * @param {{x: number, y: number}} at
 * @param {number} within
 * @returns {number | null} Its index.
 */
export function nearestOf(points, at, within) {
    /** @type {number | null} */
    let best = null;
    let least = within;
    points.forEach(({ x, y }, index) => {
        const distance = Math.hypot(x - at.x, y - at.y);
        // Of places on top of each other the last one counts.
        if (distance <= least) [best, least] = [index, distance];
    });
    return best;
}

/**
 * The index of the place where the device was at a time, or before it; the first where it was nowhere yet.
 * @param {readonly {time: number}[]} places Oldest first.
 * @param {number} time
 */
export function indexAt(places, time) {
    const after = places.findIndex((place) => place.time > time);
    return after === -1 ? Math.max(0, places.length - 1) : Math.max(0, after - 1);
}
