/**
 * The values that a limit can take: what the sensor can tell apart, in the person's unit; never such that minimum and
 * maximum would cross. Critical limits lie beyond the others.
 */

import { rounded } from "../words/numbers.js";
import { fromCanonical, stepsOf } from "./scales.js";

/** @typedef {import("./tanks.js").Parameter} Parameter */
/** @typedef {'minimum' | 'maximum' | 'criticalMinimum' | 'criticalMaximum'} Limit */
/** @typedef {Partial<Parameter>} RangeChange */

/** A wheel has no more values than can be turned through. */
const most = 3_000;

/**
 * All values that a limit can take, from the least to the greatest; of very many those with three digits that count. Where a
 * unit is coarser than the sensor each of its numbers is there once, where it is finer each step of the sensor is; so whatever
 * is picked is shown as it was.
 * @param {Parameter} parameter
 * @param {Limit} limit
 * @returns {number[]} None where the scale is not known yet.
 */
export function valuesOf(parameter, limit) {
    const { least, greatest, decimals, scale } = parameter;
    if (!scale) return [];
    /** @param {number} value */
    const steps = (value) => stepsOf(value, scale, decimals) ?? 0;
    const [above, below] = neighboursOf(parameter, limit);
    const low = above === null ? steps(least) + (limit === "maximum" ? 1 : 0) : steps(above) + 1;
    const high = below === null ? steps(greatest) - (limit === "minimum" ? 1 : 0) : steps(below) - 1;
    /** @type {number[]} */
    const values = [];
    for (let count = low; count <= high; count += 1) {
        const exact = fromCanonical(count / 10 ** scale.decimals, scale);
        if (exact === null) continue;
        const value = rounded(exact, decimals);
        // The number is kept as the step that is nearest to it, which may be another one and beyond the bound.
        const kept = steps(value);
        if (value !== values.at(-1) && kept >= low && kept <= high) values.push(value);
    }
    return values.length > most ? thinned(values, decimals, parameter[limit] ?? null) : values;
}

/**
 * The changes within an hour that are offered, from the least to the greatest: round numbers, up to a quarter of what the sensor
 * measures, and the one that holds.
 * @param {Parameter} parameter
 * @returns {number[]} None where it is not known what they can be.
 */
export function changesOf({ change, changePerHour = null }) {
    if (!change) return [];
    const { decimals, least, greatest } = change;
    /** @type {Set<number>} */
    const values = new Set(changePerHour === null ? [] : [changePerHour]);
    for (let power = -decimals; 10 ** power <= greatest; power += 1) {
        for (const digit of [1, 1.5, 2, 3, 5]) {
            const value = rounded(digit * 10 ** power, decimals);
            if (value >= least && value <= greatest / 4) values.add(value);
        }
    }
    return [...values].sort((one, other) => one - other);
}

/**
 * @param {readonly number[]} values
 * @param {number} decimals
 * @param {number | null} present The limit that holds, which stays.
 */
function thinned(values, decimals, present) {
    return values.filter((value, index) => {
        const count = Math.round(Math.abs(value) * 10 ** decimals);
        const step = 10 ** Math.max(0, String(count).length - 3);
        return count % step === 0 || value === present || index === 0 || index === values.length - 1;
    });
}

/**
 * The limits between which another one lies; null where the sensor's own range ends it.
 * @param {Parameter} parameter
 * @param {Limit} limit
 * @returns {[above: number | null, below: number | null]}
 */
export function neighboursOf({ minimum, maximum, criticalMinimum = null, criticalMaximum = null }, limit) {
    switch (limit) {
        case "criticalMinimum":
            return [null, minimum];
        case "minimum":
            return [criticalMinimum, maximum];
        case "maximum":
            return [minimum, criticalMaximum];
        case "criticalMaximum":
            return [maximum, null];
    }
}

/**
 * The place of the value that is nearest.
 * @param {readonly number[]} values In rising order, at least one.
 * @param {number} value
 */
export function nearest(values, value) {
    let [low, high] = [0, values.length - 1];
    while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (values[middle] <= value) low = middle;
        else high = middle;
    }
    return value - values[low] < values[high] - value ? low : high;
}
