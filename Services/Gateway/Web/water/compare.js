/**
 * Two courses beside each other: what each comes to, how far one is from the other, and how one of them changed at a moment. It never says why.
 */

import { civil } from "../words/time.js";
import { endsOf } from "./ranges.js";
import { runsOf } from "./runs.js";
import { cornersOf, pointAt } from "./series.js";

/** @typedef {import("./ranges.js").Range} Range */
/** @typedef {import("./series.js").Period} Period */
/** @typedef {import("./series.js").Series} Series */

const day = 86_400_000;

/**
 * A line in pieces that are joined, in the room of another range: its own limits lie on those of the other.
 * @param {Series} series
 * @param {Range | null} [own] null: it is drawn on the axis as it is.
 * @param {Range | null} [room]
 * @returns {{time: number, value: number}[][]}
 */
export function pieces(series, own = null, room = null) {
    return runsOf(series).map((run) =>
        cornersOf(run, series, true).map(({ time, value }) => ({ time, value: own === null || room === null ? value : placed(value, own, room) }))
    );
}

/**
 * @param {number} value
 * @param {Range} own
 * @param {Range} room
 */
function placed(value, own, room) {
    const [from, to] = [endsOf(own), endsOf(room)];
    return to.low + (value - from.low) / from.span * to.span;
}

/**
 * @typedef {object} Figures
 * @property {number | null} least
 * @property {number | null} mean Of all values; those in work on the water count in none of these.
 * @property {number | null} swing From the least to the greatest of a day, on average.
 */

/**
 * @param {Series} series
 * @param {Period} period
 * @returns {Figures}
 */
export function figuresIn({ points }, { from, to }) {
    let [least, sum, count] = [Infinity, 0, 0];
    /** @type {Map<number, {least: number, greatest: number}>} */
    const days = new Map();
    for (const point of points) {
        if (point.time < from || point.time >= to || point.isWorked) continue;
        least = Math.min(least, point.least);
        sum += point.mean * point.count;
        count += point.count;
        // Days are counted from the beginning, so that both sides of a moment have whole ones.
        const number = Math.floor((point.time - from) / day);
        const own = days.get(number) ?? { least: Infinity, greatest: -Infinity };
        days.set(number, { least: Math.min(own.least, point.least), greatest: Math.max(own.greatest, point.greatest) });
    }
    if (count === 0) return { least: null, mean: null, swing: null };
    const swings = [...days.values()].map(({ least, greatest }) => greatest - least);
    return { least, mean: sum / count, swing: swings.reduce((one, other) => one + other, 0) / swings.length };
}

/**
 * How far the second is from the first, where both were measured.
 * @param {Series} first
 * @param {Series} second
 * @param {string} zone
 * @returns {{mean: number, widest: {hour: number, difference: number}} | null} null where they never were at one time. The hour of the day at
 *     which they differ most on average.
 */
export function differenceOf(first, second, zone) {
    /** @type {Map<number, {sum: number, count: number}>} */
    const hours = new Map();
    let [sum, count] = [0, 0];
    for (const point of first.points) {
        const other = point.isWorked ? null : pointAt(second, point.time + first.step / 2);
        if (!other || other.isWorked) continue;
        const difference = other.mean - point.mean;
        sum += difference;
        count += 1;
        const { hour } = civil(point.time + first.step / 2, zone);
        const own = hours.get(hour) ?? { sum: 0, count: 0 };
        hours.set(hour, { sum: own.sum + difference, count: own.count + 1 });
    }
    if (count === 0) return null;
    let widest = { hour: 0, difference: 0 };
    for (const [hour, { sum, count }] of hours) {
        if (Math.abs(sum / count) > Math.abs(widest.difference)) widest = { hour, difference: sum / count };
    }
    return { mean: sum / count, widest };
}
