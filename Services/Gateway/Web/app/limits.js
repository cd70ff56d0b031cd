/**
 * The values that a limit can take: what the sensor can tell apart, in the person's unit; never such that minimum and
 * maximum would cross.
 */

/** @typedef {import("./water.js").Parameter} Parameter */
/** @typedef {'minimum' | 'maximum'} Limit */

/** The step of a sensor in its own unit is a number of digits; in others it is converted. @type {Record<string, number>} */
const factors = { F: 1.8 };

/**
 * How far two values are apart that the sensor tells apart, in the person's unit.
 * @param {Parameter} parameter
 */
export function stepOf({ decimals, unit }) {
    // Decimals are those of the canonical unit; a step in °F is 1.8 times one in °C.
    return 10 ** -decimals * (factors[unit] ?? 1);
}

/**
 * All values that a limit can take, from the least to the greatest.
 * @param {Parameter} parameter
 * @param {Limit} limit
 * @returns {number[]}
 */
export function valuesOf(parameter, limit) {
    const { least, greatest, minimum, maximum } = parameter;
    const step = stepOf(parameter);
    const count = Math.round((greatest - least) / step);
    const low = limit === "maximum" && minimum !== null ? indexOf(minimum) + 1 : limit === "maximum" ? 1 : 0;
    const high = limit === "minimum" && maximum !== null ? indexOf(maximum) - 1 : limit === "minimum" ? count - 1 : count;
    /** @param {number} value */
    function indexOf(value) {
        return Math.round((value - least) / step);
    }
    /** @type {number[]} */
    const values = [];
    for (let index = Math.max(0, low); index <= Math.min(count, high); index += 1) {
        values.push(rounded(least + index * step));
    }
    return values;
}

/**
 * The place of the value that is nearest.
 * @param {readonly number[]} values In rising order, at least one.
 * @param {number} value
 */
export function nearest(values, value) {
    const step = values.length > 1 ? values[1] - values[0] : 1;
    const index = Math.round((value - values[0]) / step);
    return Math.min(values.length - 1, Math.max(0, index));
}

/** @param {number} value */
function rounded(value) {
    return Math.round(value * 10_000) / 10_000;
}
