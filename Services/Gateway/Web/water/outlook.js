/**
 * When a value that goes on as it has lately will leave the person's limits.
 */

import { median } from "../words/numbers.js";
import { sideOf } from "./ranges.js";
import { runsOf } from "./runs.js";

/** @typedef {import("./ranges.js").Range} Range */
/** @typedef {import("./series.js").Series} Series */
/** @typedef {{side: import("./ranges.js").Side, limit: number, at: number}} Outlook At: when it is reached. */

const minute = 60_000;
/** What is judged by: the first point of so many minutes, for so long at most, at least so long, and so many. */
const interval = 5 * minute;
const memory = 120 * minute;
const least = 45 * minute;
const fewest = 6;
/** Nobody knows further ahead than three times what is judged by. */
const horizon = 3;
/** So large a share of all pairs of points has to go the same way: what trembles goes nowhere. */
const agreement = 0.8;
/** What is older says nothing about now. */
const fresh = 15 * minute;

/**
 * The limit that is reached first at the present rate: the median of the slopes between all pairs of points (Theil and Sen),
 * which a third of wild ones do not move.
 * @param {Series} series
 * @param {Range} range
 * @param {number} now
 * @returns {Outlook | null} null where there is too little to tell, where it goes nowhere, and where it is outside already.
 */
export function outlookOf(series, range, now) {
    const run = runsOf(series).at(-1) ?? [];
    const end = run.at(-1)?.time ?? -Infinity;
    if (now - end > fresh) return null;
    /** @param {number} time */
    const place = (time) => Math.floor(time / interval);
    const thinned = run.filter(({ time }, index) => index === 0 || place(time) > place(run[index - 1].time));
    const points = thinned.filter(({ time }) => time > end - memory);
    const span = end - (points[0]?.time ?? end);
    if (points.length < fewest || span < least) return null;
    const slopes = points.flatMap((one, index) => points.slice(0, index).map((other) => (one.mean - other.mean) / (one.time - other.time)))
        .filter(Number.isFinite);
    const slope = median(slopes);
    if (slope === 0 || slopes.filter((other) => Math.sign(other) === Math.sign(slope)).length < agreement * slopes.length) return null;
    const side = slope < 0 ? "low" : "high";
    const limit = side === "low" ? range.minimum : range.maximum;
    const value = median(points.map(({ time, mean }) => mean + slope * (end - time)));
    if (limit === null || sideOf(value, range) !== null) return null;
    const at = end + (limit - value) / slope;
    return at > now && at - now <= horizon * span ? { side, limit, at } : null;
}
