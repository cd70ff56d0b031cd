/**
 * What limits would have told lately: which of them are still to be asked for, and what an answer says.
 */

import { day } from "../words/time.js";

/** @typedef {import("./ranges.js").Side} Side */

/**
 * With a change where it is of the rate, which no limit decides, and with a time where it was told ahead.
 * @typedef {{time: string, side: Side, change?: number | null, expectedAt?: string | null}} Alarm
 */

/**
 * What the service answers of some limits.
 * @typedef {object} Answer
 * @property {string | null} since When the first reading was taken that counts.
 * @property {string} until
 * @property {boolean} tooNew
 * @property {{alarms: number, reminders: number, aheadAlarms?: number, times: Alarm[]}[]} results In the order in which they were asked
 *     for. An earlier version of the service does not count what is told ahead.
 */

/** @typedef {{days: number, isTooNew: boolean}} Reach How far back readings go. */

/**
 * How far back an answer reaches: in whole days, as many as it was asked for where only hours lack.
 * @param {Pick<Answer, 'since' | 'until' | 'tooNew'>} answer
 * @returns {Reach}
 */
export function reachOf({ since, until, tooNew }) {
    const days = since === null ? 0 : (Date.parse(until) - Date.parse(since)) / day;
    return { days: Math.max(1, Math.round(days)), isTooNew: tooNew };
}

/**
 * The alarms of values beyond the limits, without those of the rate and those told ahead.
 * @param {Alarm[]} times
 */
export function byLimits(times) {
    return times.filter(({ change, expectedAt }) => (change ?? null) === null && (expectedAt ?? null) === null);
}

/** So many rows of the wheel are in sight above and below the one that is chosen. */
const sight = 2;
/** So many more are asked for along with them. */
const around = 10;

/**
 * The places to ask for: none while all rows in sight are known, else those around them that are not.
 * @param {number} index The place that is chosen.
 * @param {number} count How many there are.
 * @param {(place: number) => boolean} isKnown
 * @returns {number[]} In rising order.
 */
export function placesToAsk(index, count, isKnown) {
    if (unknown(index, count, sight, isKnown).length === 0) return [];
    return unknown(index, count, around, isKnown);
}

/**
 * @param {number} index
 * @param {number} count
 * @param {number} reach
 * @param {(place: number) => boolean} isKnown
 */
function unknown(index, count, reach, isKnown) {
    const places = [];
    for (let place = Math.max(0, index - reach); place <= Math.min(count - 1, index + reach); place += 1) {
        if (!isKnown(place)) places.push(place);
    }
    return places;
}
