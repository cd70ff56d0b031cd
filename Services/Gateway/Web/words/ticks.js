/**
 * The marks of an axis of times, where people look for them.
 */

import { civil, day, hour, instantOf, minute } from "./time.js";

/** @typedef {{time: number, kind: 'hour' | 'day' | 'month'}} TimeTick */

/** Steps of an axis by the wall clock; from a day on they begin at midnight. */
const clockSteps = [5, 10, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * minute);
const daySteps = [1, 2, 5, 10];
const monthSteps = [1, 2, 3, 6];

/**
 * The marks of an axis at local minutes, hours, days or months, at most `most` of them, so that none is where nobody looks for it:
 * every third hour by the wall clock, also across a change of the clocks.
 * @param {number} from
 * @param {number} to
 * @param {string} zone
 * @param {number} most
 * @returns {TimeTick[]}
 */
export function timeTicks(from, to, zone, most) {
    const span = to - from;
    for (const step of clockSteps) {
        if (span / step <= most) return clockTicks(from, to, zone, step);
    }
    for (const step of daySteps) {
        if (span / (step * day) <= most) return dayTicks(from, to, zone, step);
    }
    const step = monthSteps.find((months) => span / (months * 30.4 * day) <= most) ?? 12;
    return monthTicks(from, to, zone, step);
}

/**
 * @param {number} from
 * @param {number} to
 * @param {string} zone
 * @param {number} step
 * @returns {TimeTick[]}
 */
function clockTicks(from, to, zone, step) {
    const start = civil(from, zone);
    /** @type {TimeTick[]} */
    const ticks = [];
    for (let wall = Date.UTC(start.year, start.month - 1, start.day, step < hour ? start.hour : 0);; wall += step) {
        const time = instantOf(wall, zone);
        if (time > to) return ticks;
        const isNew = ticks.length === 0 || time > ticks[ticks.length - 1].time;
        if (time >= from && isNew) ticks.push({ time, kind: "hour" });
    }
}

/**
 * @param {number} from
 * @param {number} to
 * @param {string} zone
 * @param {number} step
 * @returns {TimeTick[]}
 */
function dayTicks(from, to, zone, step) {
    const start = civil(from, zone);
    /** @type {TimeTick[]} */
    const ticks = [];
    // Counted from a fixed day, so that marks stay where they are while the period moves.
    const first = Math.floor(Date.UTC(start.year, start.month - 1, start.day) / day / step) * step;
    for (let number = first;; number += step) {
        const time = instantOf(number * day, zone);
        if (time > to) return ticks;
        if (time >= from) ticks.push({ time, kind: "day" });
    }
}

/**
 * @param {number} from
 * @param {number} to
 * @param {string} zone
 * @param {number} step
 * @returns {TimeTick[]}
 */
function monthTicks(from, to, zone, step) {
    const start = civil(from, zone);
    /** @type {TimeTick[]} */
    const ticks = [];
    const first = Math.floor((start.year * 12 + start.month - 1) / step) * step;
    for (let number = first;; number += step) {
        const time = instantOf(Date.UTC(Math.floor(number / 12), number % 12, 1), zone);
        if (time > to) return ticks;
        if (time >= from) ticks.push({ time, kind: "month" });
    }
}
