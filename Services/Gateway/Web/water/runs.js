/**
 * A series in pieces: runs without a gap, the gaps between them, and the periods outside the limits.
 */

import { endOf, isAfterGap } from "./series.js";
import { workedIn } from "./work.js";

/** @typedef {import("./ranges.js").Range} Range */
/** @typedef {import("./series.js").Period} Period */
/** @typedef {import("./series.js").Point} Point */
/** @typedef {import("./series.js").Series} Series */

/**
 * The points in pieces without a gap. A line is drawn through each by itself.
 * @param {Series} series
 * @returns {Point[][]}
 */
export function runsOf(series) {
    /** @type {Point[][]} */
    const runs = [];
    for (const point of series.points) {
        const run = runs.at(-1);
        const last = run?.at(-1);
        if (run && last && !isAfterGap(point, last.time, series)) run.push(point);
        else runs.push([point]);
    }
    return runs;
}

/**
 * A run in pieces by whether somebody worked: a piece in work reaches to the points beside it, so that nothing tears.
 * @param {Point[]} run
 * @returns {{points: Point[], isWorked: boolean}[]}
 */
export function piecesOf(run) {
    /** @type {{points: Point[], isWorked: boolean}[]} */
    const pieces = [];
    for (const point of run) {
        const isWorked = point.isWorked ?? false;
        const piece = pieces.at(-1);
        if (piece?.isWorked === isWorked) {
            piece.points.push(point);
            continue;
        }
        const before = piece?.points.at(-1);
        if (piece?.isWorked) piece.points.push(point);
        pieces.push({ points: isWorked && before ? [before, point] : [point], isWorked });
    }
    return pieces;
}

/**
 * When measuring began within a period: at the first reading of a device that was linked in it, else at its beginning.
 * @param {Series} series
 * @param {number} from
 */
export function beginOf({ linkedAt = null, points: [first] }, from) {
    if (linkedAt === null || linkedAt <= from) return from;
    return Math.max(from, first ? first.time : linkedAt);
}

/**
 * When nobody was listening: between two points, before the first and after the last one; before a device was linked nobody could.
 * @param {Series} series
 * @param {Period} period
 * @returns {Period[]}
 */
export function gapsOf(series, { from, to }) {
    const tolerance = Math.max(series.gap, series.step);
    /** @type {Period[]} */
    const gaps = [];
    let reached = beginOf(series, from);
    let isFirst = true;
    for (const run of runsOf(series)) {
        const start = run[0].time;
        const end = endOf(run[run.length - 1], series);
        if (end < from) {
            isFirst = false;
            continue;
        }
        if (start > to) break;
        if (start > reached && (!isFirst || start - reached > tolerance)) gaps.push({ from: reached, to: start });
        reached = Math.max(reached, end);
        isFirst = false;
    }
    if (to - reached > tolerance) gaps.push({ from: reached, to });
    return gaps;
}

/**
 * When somebody worked on the water, as far as something was measured.
 * @param {Series} series
 * @param {Period} period
 * @returns {Period[]}
 */
export function worksOf(series, period) {
    /** @type {{from: number, until: number}[]} */
    const works = [];
    let goesOn = false;
    for (const point of series.points) {
        if (point.isWorked) {
            const until = endOf(point, series);
            const last = works.at(-1);
            if (last && goesOn) last.until = until;
            else works.push({ from: point.time, until });
        }
        goesOn = point.isWorked ?? false;
    }
    return workedIn(works, period);
}

/**
 * The periods in which a value was outside, with the worst departure of each as a share of the span.
 * @param {Series} series
 * @param {Range} range
 * @param {(value: number, range: Range) => number} departureOf
 * @returns {(Period & {worst: number, isOpen?: boolean})[]}
 */
export function departuresOf(series, range, departureOf) {
    /** @type {(Period & {worst: number})[]} */
    const departures = [];
    for (const run of runsOf(series)) {
        /** @type {(Period & {worst: number}) | null} */
        let open = null;
        for (const point of run) {
            // What was measured in work says nothing of the water.
            const worst = point.isWorked ? 0 : Math.max(departureOf(point.least, range), departureOf(point.greatest, range));
            const end = endOf(point, series);
            if (worst > 0) {
                if (open === null) departures.push(open = { from: point.time, to: end, worst });
                else {
                    open.to = end;
                    open.worst = Math.max(open.worst, worst);
                }
            } else if (open !== null) {
                open.to = point.time;
                open = null;
            }
        }
    }
    return departures;
}
