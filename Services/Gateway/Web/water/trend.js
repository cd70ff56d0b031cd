/**
 * Where a value is going, and how fast.
 */

import { median } from "../words/numbers.js";
import { runsOf } from "./runs.js";

/** @typedef {import("./ranges.js").Range} Range */
/** @typedef {import("./series.js").Series} Series */
/** @typedef {{direction: 'rising' | 'falling' | 'steady', change: number}} Trend */

/** What is older says nothing of where the value is going now. */
const trendLength = 15 * 60_000;
const leastSpan = 5 * 60_000;
/** A value that moves by a smaller share of the span trembles. */
const leastShare = 0.01;

/**
 * How far the value has gone in the last 15 minutes, at the median of the slopes between all of its points: one reading that is wrong
 * moves none. Only what the last digit shows is told.
 * @param {Series} series
 * @param {Range} range
 * @param {number} now
 * @returns {Trend | null} null when there is too little to tell.
 */
export function trendOf(series, range, now) {
    const points = (runsOf(series).at(-1) ?? []).filter(({ time }) => time > now - trendLength);
    const span = (points.at(-1)?.time ?? 0) - (points[0]?.time ?? 0);
    if (span < leastSpan) return null;
    const thinned = points.filter((_, index) => index % Math.ceil(points.length / 30) === 0);
    const slopes = thinned.flatMap((one, index) =>
        thinned.slice(0, index).map((other) => (one.mean - other.mean) / (one.time - other.time))
    );
    const change = median(slopes) * trendLength;
    const low = range.minimum ?? range.least;
    const high = range.maximum ?? range.greatest;
    const least = Math.max(0.5 * 10 ** -(range.decimals ?? 0), leastShare * (high - low));
    return { direction: Math.abs(change) < least ? "steady" : change > 0 ? "rising" : "falling", change };
}
