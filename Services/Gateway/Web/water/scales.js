/**
 * How canonical values become values of the unit that a person chose. There is no formula here: the service tells each
 * scale, as a line or as a table.
 */

import { lastDigits, noise, rounded } from "../words/numbers.js";

/**
 * @typedef {object} Scale
 * @property {string} unit The canonical unit.
 * @property {number} decimals How many digits behind the decimal mark the sensor tells apart, in the canonical unit.
 * @property {number | null} factor value = canonical value × factor + offset; null where there is a table.
 * @property {number | null} offset
 * @property {{first: number, step: number, values: number[]} | null} table Beyond it there are no values.
 */

/**
 * A value in the person's unit.
 * @param {number} canonical
 * @param {Scale | undefined} scale What was kept on this device before there were scales lacks it.
 * @returns {number | null} null where the unit has no such value.
 */
export function fromCanonical(canonical, scale) {
    if (!scale) return null;
    const { factor, offset, table } = scale;
    if (factor !== null) return canonical * factor + (offset ?? 0);
    if (!table) return null;
    const place = (canonical - table.first) / table.step;
    if (!(place >= -noise && place <= table.values.length - 1 + noise)) return null;
    return between(table.values, place);
}

/**
 * @param {number} value
 * @param {Scale} scale
 * @returns {number | null} null where there is no canonical value.
 */
export function toCanonical(value, scale) {
    const { factor, offset, table } = scale;
    if (factor !== null) return (value - (offset ?? 0)) / factor;
    if (!table || table.values.length < 2) return null;
    const { values, first, step } = table;
    if (!(value >= values[0] && value <= values[values.length - 1])) return null;
    let [low, high] = [0, values.length - 1];
    while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (values[middle] <= value) low = middle;
        else high = middle;
    }
    return first + step * (low + (value - values[low]) / (values[high] - values[low]));
}

/**
 * The value in the person's unit at the sensor's precision, as alerts tell it.
 * @param {number} canonical
 * @param {Scale | undefined} scale
 * @returns {number | null}
 */
export function shown(canonical, scale) {
    return scale ? fromCanonical(rounded(canonical, scale.decimals), scale) : null;
}

/**
 * A number in the person's unit in whole steps of the sensor, in which values and limits are compared. A number half
 * way between two steps, as all are in kelvin, belongs to the one that is shown as it.
 * @param {number} value
 * @param {Scale} scale
 * @param {number} [decimals] The digits with which the number is shown, where it is a limit.
 * @returns {number | null}
 */
export function stepsOf(value, scale, decimals) {
    const canonical = toCanonical(value, scale);
    if (canonical === null) return null;
    const nearest = lastDigits(canonical, scale.decimals);
    if (decimals === undefined) return nearest;
    const entered = lastDigits(value, decimals);
    /** @param {number} steps */
    const isShownSo = (steps) => {
        const told = fromCanonical(steps / 10 ** scale.decimals, scale);
        return told !== null && lastDigits(told, decimals) === entered;
    };
    return [nearest, nearest - 1, nearest + 1].find(isShownSo) ?? nearest;
}

/**
 * @param {readonly number[]} values
 * @param {number} place
 */
function between(values, place) {
    const nearest = Math.round(place);
    // A whole step has its value in the table, without the noise of a division.
    if (Math.abs(place - nearest) < 1e-6) return values[nearest];
    const low = Math.floor(place);
    return values[low] + (values[low + 1] - values[low]) * (place - low);
}
