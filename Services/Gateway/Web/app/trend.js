/**
 * Where a value is going.
 */

import { runsOf } from "./runs.js";

/** @typedef {import("./ranges.js").Range} Range */
/** @typedef {import("./series.js").Series} Series */

/**
 * Where the value is going: the mean of the last minutes against the mean of the time before, told only when it is more
 * than a fiftieth of the span.
 * @param {Series} series
 * @param {Range} range
 * @returns {'rising' | 'falling' | 'steady' | null} null when there is too little to tell.
 */
export function trendOf(series, range) {
    const run = runsOf(series).at(-1);
    const last = run?.at(-1);
    if (!run || !last) return null;
    const end = last.time;
    /**
     * @param {number} from
     * @param {number} to
     */
    const meanOf = (from, to) => {
        const found = run.filter((point) => point.time > end - from && point.time <= end - to);
        const count = found.reduce((sum, point) => sum + point.count, 0);
        return count > 0 ? found.reduce((sum, point) => sum + point.mean * point.count, 0) / count : null;
    };
    const [recent, before] = [meanOf(15 * 60_000, 0), meanOf(60 * 60_000, 30 * 60_000)];
    if (recent === null || before === null) return null;
    const low = range.minimum ?? range.least;
    const high = range.maximum ?? range.greatest;
    const change = (recent - before) / Math.max(high - low, Number.EPSILON);
    return change > 0.02 ? "rising" : change < -0.02 ? "falling" : "steady";
}
