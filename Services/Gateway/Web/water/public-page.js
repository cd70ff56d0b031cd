/** A page that its owner shows to everybody: what the service tells, and what comes of it. Times are milliseconds since 1970. */

import { decoded, timeOrNull } from "./series.js";

/** @typedef {import("./series.js").Series} Series */
/** @typedef {'inRange' | 'low' | 'high'} State */

/**
 * @typedef {object} Shown A parameter of a tank.
 * @property {string} parameter
 * @property {string} unit
 * @property {number} decimals
 * @property {string} colour
 * @property {number | null} value The last value.
 * @property {number | null} at When it was measured.
 * @property {boolean} byHand Whether a person measured it, at a place without a device.
 * @property {State | null} state null: its owner does not show it, or it is too old to say.
 * @property {Series} series
 */

/** @typedef {{title: string, days: number, readAt: number, tanks: {title: string, values: Shown[]}[]}} Page */

/** Values older than this tell little of the water now. */
const stale = 15 * 60_000;
/** So much more than its data a graph shows, where nothing changes at all. */
const least = 0.5;

/**
 * The service's answer as it is used here; what only a newer service knows of a value is left out.
 * @param {any} answer
 * @returns {Page}
 */
export function pageOf({ title, days, readAt, tanks }) {
    return {
        title: String(title),
        days,
        readAt: Date.parse(readAt),
        tanks: tanks.map((/** @type {any} */ tank) => ({
            title: String(tank.title),
            values: tank.values.map((/** @type {any} */ value) => ({
                parameter: String(value.parameter),
                unit: String(value.unit),
                decimals: value.decimals,
                colour: String(value.colour),
                value: typeof value.value === "number" ? value.value : null,
                at: timeOrNull(value.at),
                byHand: value.byHand === true,
                state: ["inRange", "low", "high"].includes(value.state) ? value.state : null,
                series: decoded(value),
            })),
        })),
    };
}

/**
 * When any of it was measured last.
 * @param {Page} page
 * @returns {number | null} null: never.
 */
export function heardOf({ tanks }) {
    const times = tanks.flatMap(({ values }) => values.map(({ at }) => at ?? -Infinity));
    const last = Math.max(-Infinity, ...times);
    return last === -Infinity ? null : last;
}

/**
 * Whether people measured all that is known of a page's water, at places without a device.
 * @param {Page} page
 */
export const isAllByHand = ({ tanks }) => tanks.every(({ values }) => values.every(({ at, byHand }) => at === null || byHand));

/**
 * How long ago something came, in milliseconds: by the steady clock, which nobody sets, and by the other where that went on while the device slept.
 * @typedef {{steady: number, clock: number}} Moment
 * @param {Moment} then
 * @param {Moment} now
 */
export const elapsed = (then, now) => Math.max(0, now.steady - then.steady, now.clock - then.clock);

/**
 * Whether something of then is told as it was, and not as it is.
 * @param {number | null} at
 * @param {number} now
 */
export const isOld = (at, now) => at === null || now - at > stale;

/**
 * What is said of a value beside it: within limits a while ago, it need not be so now, and that is said as well.
 * @param {Shown} shown
 * @param {number} now
 * @returns {State | 'outdated' | null} null: nothing, since it never came or its owner does not show it.
 */
export function toldOf({ at, byHand, state }, now) {
    // What people measure at a place is as old as it is.
    const isOutdated = !byHand && at !== null && isOld(at, now);
    return isOutdated ? "outdated" : at === null ? null : state;
}

/**
 * The range that a graph shows where no limits are shown: that of its data.
 * @param {Shown} shown
 * @returns {import("./ranges.js").Range}
 */
export function rangeOf({ series, decimals }) {
    const means = series.points.map(({ mean }) => mean);
    const [low, high] = means.length === 0 ? [0, 0] : [Math.min(...means), Math.max(...means)];
    const room = high > low ? 0 : least;
    return { minimum: null, maximum: null, least: low - room, greatest: high + room, decimals };
}
