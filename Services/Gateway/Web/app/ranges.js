/**
 * A person's limits, and where a value stands among them. A value equal to a limit is inside.
 */

/** @typedef {'low' | 'high'} Side */

/**
 * @typedef {object} Range
 * @property {number | null} minimum The least value that is in range; null: there is none.
 * @property {number | null} maximum The greatest value that is in range; null: there is none.
 * @property {number} least The least value that the sensor measures.
 * @property {number} greatest The greatest value that the sensor measures.
 * @property {number} [decimals] How many digits behind the decimal mark the sensor tells apart.
 */

/**
 * On which side a value is outside; null when it is inside, or when there is no value. What the sensor cannot tell apart
 * from a limit is inside, as it is for alerts.
 * @param {number | null | undefined} value
 * @param {{minimum: number | null, maximum: number | null, decimals?: number}} range
 * @returns {Side | null}
 */
export function sideOf(value, range) {
    if (value === null || value === undefined || Number.isNaN(value)) return null;
    const told = range.decimals === undefined ? value : Number(value.toFixed(range.decimals));
    if (range.minimum !== null && told < range.minimum) return "low";
    if (range.maximum !== null && told > range.maximum) return "high";
    return null;
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

/**
 * A value of the parameter's canonical unit in the unit that the person chose.
 * @param {number} value
 * @param {string} unit
 */
export function fromCanonical(value, unit) {
    const converted = unit === "F"
        ? value * 1.8 + 32
        : unit === "K"
        ? value + 273.15
        : unit === "ppb"
        ? value * 1000
        : value;
    return Math.round(converted * 10_000) / 10_000;
}
