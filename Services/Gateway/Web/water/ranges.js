/**
 * A person's limits, and where a value stands among them. A value equal to a limit is inside.
 */

import { rounded } from "../words/numbers.js";
import { stepsOf } from "./scales.js";

/** @typedef {'low' | 'high'} Side */

/**
 * @typedef {object} Range
 * @property {number | null} minimum The least value that is in range; null: there is none.
 * @property {number | null} maximum The greatest value that is in range; null: there is none.
 * @property {number} least The least value that the sensor measures.
 * @property {number} greatest The greatest value that the sensor measures.
 * @property {number} [decimals] How many digits behind the decimal mark values have.
 * @property {import("./scales.js").Scale} [scale] How values become those that are compared.
 */

/**
 * On which side a value is outside; null when it is inside, or when there is no value. What the sensor cannot tell apart
 * from a limit is inside, as it is for alerts.
 * @param {number | null | undefined} value
 * @param {Pick<Range, 'minimum' | 'maximum' | 'decimals' | 'scale'>} range
 * @returns {Side | null}
 */
export function sideOf(value, range) {
    if (value === null || value === undefined || Number.isNaN(value)) return null;
    const told = compared(value, range);
    if (range.minimum !== null && told < compared(range.minimum, range, range.decimals)) return "low";
    if (range.maximum !== null && told > compared(range.maximum, range, range.decimals)) return "high";
    return null;
}

/**
 * What is compared: whole steps of the sensor. One of them is less than the last digit of a coarse unit, so that a
 * value may be outside although it reads like its limit.
 * @param {number} value
 * @param {Pick<Range, 'decimals' | 'scale'>} range
 * @param {number} [decimals] With how many digits the value was entered, where it is a limit.
 */
function compared(value, { decimals: shown, scale }, decimals) {
    if (scale) return stepsOf(value, scale, decimals) ?? value;
    return shown === undefined ? value : rounded(value, shown);
}

/**
 * The limits as the two ends of a drawing. Where the person has none, the sensor's own range ends it.
 * @param {Range} range
 * @returns {{low: number, high: number, span: number}}
 */
export function endsOf(range) {
    const low = range.minimum ?? Math.min(range.least, range.maximum ?? range.least);
    const high = range.maximum ?? Math.max(range.greatest, low);
    return { low, high, span: Math.max(high - low, Number.EPSILON) };
}

/**
 * The place of a value between the ends: 0 at the lower one, 1 at the upper one, never beyond.
 * @param {number | null | undefined} value
 * @param {Range} range
 * @returns {number | null} null when there is no value.
 */
export function shareOf(value, range) {
    if (value === null || value === undefined || Number.isNaN(value)) return null;
    const { low, span } = endsOf(range);
    return Math.min(1, Math.max(0, (value - low) / span));
}

/**
 * How far a value is outside, as a share of the span between the ends; 0 when it is inside.
 * @param {number | null | undefined} value
 * @param {Range} range
 */
export function departureOf(value, range) {
    const side = sideOf(value, range);
    if (side === null || value === null || value === undefined) return 0;
    const limit = /** @type {number} */ (side === "low" ? range.minimum : range.maximum);
    return Math.abs(value - limit) / endsOf(range).span;
}

/**
 * Whether a value is beyond what the sensor measures, so that the probe is suspect.
 * @param {number | null | undefined} value
 * @param {{least: number, greatest: number}} range
 */
export function isBeyondSensor(value, range) {
    if (value === null || value === undefined || Number.isNaN(value)) return false;
    return value < range.least || value > range.greatest;
}
