/**
 * When it is night at a place, for devices outdoors: plants breathe then, and oxygen falls.
 *
 * The sun's place is that of the Astronomical Almanac's low-precision formulae, good to a few minutes of sunrise.
 */

import { day, hour, minute } from "../words/time.js";

/** @typedef {import("../water/series.js").Period} Period */

const degree = Math.PI / 180;
/** The sun's centre at sunrise: half its width, and what the air bends. */
const horizon = -0.833;

/**
 * How high the sun stands, in degrees.
 * @param {number} time
 * @param {number} latitude
 * @param {number} longitude
 */
export function sunHeight(time, latitude, longitude) {
    const days = time / day - 10957.5;
    const mean = (280.46 + 0.9856474 * days) * degree;
    const anomaly = (357.528 + 0.9856003 * days) * degree;
    const ecliptic = mean + (1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly)) * degree;
    const tilt = (23.439 - 0.0000004 * days) * degree;
    const declination = Math.asin(Math.sin(tilt) * Math.sin(ecliptic));
    const ascension = Math.atan2(Math.cos(tilt) * Math.sin(ecliptic), Math.cos(ecliptic));
    const sidereal = (18.697374558 + 24.06570982441908 * days) * 15 * degree;
    const angle = sidereal + longitude * degree - ascension;
    const height = Math.sin(latitude * degree) * Math.sin(declination) +
        Math.cos(latitude * degree) * Math.cos(declination) * Math.cos(angle);
    return Math.asin(Math.min(1, Math.max(-1, height))) / degree;
}

/**
 * The nights in a period of at most some days, to the minute.
 * @param {Period} period
 * @param {number} latitude
 * @param {number} longitude
 * @returns {Period[]}
 */
export function nightsOf({ from, to }, latitude, longitude) {
    /** @param {number} time */
    const isDark = (time) => sunHeight(time, latitude, longitude) < horizon;
    const step = hour / 3;
    /** @type {Period[]} */
    const nights = [];
    let start = isDark(from) ? from : null;
    for (let time = from; time < to; time += step) {
        const next = Math.min(to, time + step);
        if (isDark(next) === (start !== null)) continue;
        const change = turn(time, next, isDark);
        if (start === null) start = change;
        else {
            nights.push({ from: start, to: change });
            start = null;
        }
    }
    if (start !== null) nights.push({ from: start, to });
    return nights;
}

/**
 * When something changes between two times.
 * @param {number} before
 * @param {number} after
 * @param {(time: number) => boolean} test
 */
function turn(before, after, test) {
    const first = test(before);
    let [low, high] = [before, after];
    while (high - low > minute) {
        const middle = (low + high) / 2;
        if (test(middle) === first) low = middle;
        else high = middle;
    }
    return high;
}
