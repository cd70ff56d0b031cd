/**
 * A parameter over time: what the server tells, and what comes of it before anything is drawn. No line crosses a gap, and
 * what is missing is never a zero. Times are milliseconds since 1970.
 */

/** @typedef {import("./ranges.js").Range} Range */

/**
 * One message, or the values of a stretch of time.
 * @typedef {object} Point
 * @property {number} time Of the message, or the beginning of the stretch.
 * @property {number} mean
 * @property {number} least
 * @property {number} leastTime
 * @property {number} greatest
 * @property {number} greatestTime
 * @property {number} count
 * @property {number} [quality] The worst QARTOD flag of its values: 3 suspect, 4 fail; what was kept on this device may lack it.
 * @property {string | null} [finding] What was found of them.
 * @property {boolean} [isAfterGap] Whether nothing was measured between the point before and this one; what was kept on this device
 *     may lack it.
 * @property {boolean} [isWorked] Whether somebody worked on the water meanwhile: it counts in no figure.
 * @property {Sample} [last] The newest value, where it came by itself: a line ends there, not at an extreme.
 */

/**
 * @typedef {object} Statistics
 * @property {number} count
 * @property {number | null} mean
 * @property {number | null} least
 * @property {number | null} leastTime
 * @property {number | null} greatest
 * @property {number | null} greatestTime
 * @property {number} outside Milliseconds outside the limits of each time.
 * @property {number} undecided Milliseconds of hours and days that were partly outside, nobody knows for how long.
 */

/**
 * @typedef {object} Series
 * @property {string} unit
 * @property {number} step Milliseconds that a point covers; 0 where each message is a point.
 * @property {number} gap What comes more than so many milliseconds after the last point comes after a gap.
 * @property {string} resolution What the points were made of.
 * @property {Point[]} points Oldest first.
 * @property {Statistics} statistics
 * @property {number | null} [linkedAt] Since when the person has had the device; what was kept on this device may lack it.
 */

/** @typedef {{time: number, value: number}} Sample */
/** @typedef {{from: number, to: number}} Period */

/**
 * @param {unknown} value
 * @returns {number | null} null for everything that is not a number: `Number(null)` would be 0.
 */
function numberOrNull(value) {
    return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/**
 * @param {unknown} value
 * @returns {number | null}
 */
export function timeOrNull(value) {
    if (typeof value !== "string") return null;
    const time = Date.parse(value);
    return Number.isNaN(time) ? null : time;
}

/**
 * The server's answer as it is used here.
 * @param {any} answer
 * @param {string | null} [linked] Since when the person has had the device.
 * @returns {Series}
 */
export function decoded(answer, linked = null) {
    /** @type {Point[]} */
    const points = [];
    for (const point of answer.points ?? []) {
        const [time, mean] = [timeOrNull(point.time), numberOrNull(point.mean)];
        if (time === null || mean === null) continue;
        points.push({
            time,
            mean,
            least: numberOrNull(point.minimum) ?? mean,
            leastTime: timeOrNull(point.minimumTime) ?? time,
            greatest: numberOrNull(point.maximum) ?? mean,
            greatestTime: timeOrNull(point.maximumTime) ?? time,
            count: numberOrNull(point.count) ?? 1,
            quality: numberOrNull(point.quality) ?? 2,
            finding: typeof point.finding === "string" ? point.finding : null,
            ...(numberOrNull(point.worked) ?? 0) > 0 ? { isWorked: true } : {},
            ...typeof point.afterGap === "boolean" ? { isAfterGap: point.afterGap } : {},
        });
    }
    const figures = answer.statistics ?? {};
    return {
        unit: String(answer.unit ?? ""),
        resolution: String(answer.resolution ?? ""),
        step: (numberOrNull(answer.step) ?? 0) * 1000,
        gap: (numberOrNull(answer.gap) ?? 300) * 1000,
        points,
        linkedAt: timeOrNull(linked),
        statistics: {
            count: numberOrNull(figures.count) ?? 0,
            mean: numberOrNull(figures.mean),
            least: numberOrNull(figures.minimum),
            leastTime: timeOrNull(figures.minimumTime),
            greatest: numberOrNull(figures.maximum),
            greatestTime: timeOrNull(figures.maximumTime),
            outside: (numberOrNull(figures.secondsOutOfRange) ?? 0) * 1000,
            undecided: (numberOrNull(figures.secondsUndecided) ?? 0) * 1000,
        },
    };
}

/**
 * The series with a reading that came since, and without what is older than `from`. A reading that is not newer changes
 * nothing: live events may come twice.
 * @param {Series} series
 * @param {Sample & {isWorked?: boolean}} reading
 * @param {number} from
 * @returns {Series}
 */
export function appended(series, reading, from) {
    const points = series.points.filter((point) => point.time + series.step >= from);
    const last = points.at(-1);
    const newest = last ? Math.max(last.time, last.leastTime, last.greatestTime, last.last?.time ?? 0) : -Infinity;
    if (reading.time <= newest) return points.length === series.points.length ? series : { ...series, points };
    const { time, value, isWorked = false } = reading;
    if (last && series.step > 0 && time < last.time + series.step) {
        const count = last.count + 1;
        points[points.length - 1] = {
            ...last,
            mean: last.mean + (value - last.mean) / count,
            least: Math.min(last.least, value),
            leastTime: value < last.least ? time : last.leastTime,
            greatest: Math.max(last.greatest, value),
            greatestTime: value > last.greatest ? time : last.greatestTime,
            count,
            last: { time, value },
        };
    } else {
        const start = series.step > 0 ? Math.floor(time / series.step) * series.step : time;
        points.push({
            time: Math.max(start, last ? last.time + 1 : start),
            mean: value,
            least: value,
            leastTime: time,
            greatest: value,
            greatestTime: time,
            count: 1,
            ...isWorked ? { isWorked } : {},
            isAfterGap: last !== undefined && time - last.time > Math.max(series.gap, series.step),
        });
    }
    return { ...series, points };
}

/**
 * The stretches whose values are flagged, where points of the same flag follow each other without a gap.
 * @param {Series} series
 * @returns {{from: number, to: number, isFail: boolean}[]}
 */
export function flaggedOf(series) {
    /** @type {{from: number, to: number, isFail: boolean}[]} */
    const stretches = [];
    /** The stretch that the point before belongs to. @type {{from: number, to: number, isFail: boolean} | null} */
    let open = null;
    for (const point of series.points) {
        const quality = point.quality ?? 2;
        if (quality !== 3 && quality !== 4) {
            open = null;
            continue;
        }
        const [from, to, isFail] = [point.time, endOf(point, series), quality === 4];
        if (open && open.isFail === isFail && !isAfterGap(point, open.to, series)) open.to = to;
        else stretches.push(open = { from, to, isFail });
    }
    return stretches;
}

/**
 * Whether nothing was measured before a point.
 * @param {Point} point
 * @param {number} before The time of the point before.
 * @param {Series} series
 */
export function isAfterGap(point, before, series) {
    return point.isAfterGap ?? point.time - before > Math.max(series.gap, series.step);
}

/**
 * The last time for which a point stands.
 * @param {Point} point
 * @param {Series} series
 */
export function endOf(point, series) {
    return Math.max(point.time + series.step, point.leastTime, point.greatestTime);
}

/**
 * The corners of the line through a piece: the least and the greatest of each stretch in the order in which they were
 * measured, so that no spike is lost. Roll-ups do not tell that order; of them the means are drawn.
 * @param {Point[]} run
 * @param {Series} series
 * @param {boolean} [areMeans] Whether the line goes through the means, with the extremes as an envelope around it.
 * @returns {Sample[]}
 */
export function cornersOf(run, series, areMeans = isRolledUp(series)) {
    if (areMeans && series.step > 0) {
        return run.map((point) => ({ time: point.time + series.step / 2, value: point.mean }));
    }
    /** @type {Sample[]} */
    const corners = [];
    for (const point of run) {
        const least = { time: point.leastTime, value: point.least };
        const greatest = { time: point.greatestTime, value: point.greatest };
        if (point.count === 1 || point.least === point.greatest) {
            corners.push(least);
            // A stretch of one value is as long as it is.
            if (series.step > 0 && point.count > 1 && !point.last) corners.push({ time: point.time + series.step, value: point.least });
        } else corners.push(least, greatest);
        if (point.last) corners.push(point.last);
    }
    return corners.sort((one, other) => one.time - other.time);
}

/**
 * Whether the points are hours or days, whose extremes have no exact time.
 * @param {Series} series
 */
function isRolledUp(series) {
    return series.resolution === "hour" || series.resolution === "day";
}

/**
 * The least and the greatest value of all points; null without points.
 * @param {Series} series
 * @param {Period} [period]
 * @returns {{least: number, greatest: number} | null}
 */
export function extentOf(series, period) {
    let least = Infinity;
    let greatest = -Infinity;
    for (const point of series.points) {
        if (period && (endOf(point, series) < period.from || point.time > period.to)) continue;
        least = Math.min(least, point.least);
        greatest = Math.max(greatest, point.greatest);
    }
    return least <= greatest ? { least, greatest } : null;
}

/**
 * The point at a time, for a read-out; null where nothing was measured.
 * @param {Series} series
 * @param {number} time
 * @returns {Point | null}
 */
export function pointAt(series, time) {
    /** @type {Point | null} */
    let best = null;
    let least = Infinity;
    for (const point of series.points) {
        const middle = point.time + series.step / 2;
        const distance = Math.abs(middle - time);
        if (distance < least) [best, least] = [point, distance];
    }
    return best !== null && least <= Math.max(series.gap, series.step) / 2 + series.step / 2 ? best : null;
}
