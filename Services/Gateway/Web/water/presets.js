/**
 * Limits for what people keep, as the service lists them: in canonical units, whatever unit a person reads in.
 */

import { rounded } from "../words/numbers.js";
import { fromCanonical } from "./scales.js";

/** @typedef {import("./tanks.js").Parameter} Parameter */

/**
 * @typedef {object} Preset
 * @property {string} id
 * @property {string} name
 * @property {string[]} sources
 * @property {Limits[]} limits
 */

/**
 * @typedef {object} Limits
 * @property {string} parameter
 * @property {number | null} minimum
 * @property {number | null} maximum
 * @property {string} unit
 * @property {number} [decimals]
 * @property {boolean} convention
 */

/**
 * A parameter as it will be with the limits of a preset; null where the preset leaves it as it is.
 * @param {Parameter} parameter
 * @param {Preset} preset
 * @returns {Parameter | null}
 */
export function withPreset(parameter, preset) {
    const limits = preset.limits.find((one) => one.parameter === parameter.name);
    if (!limits) return null;
    return { ...parameter, minimum: shown(limits.minimum, parameter), maximum: shown(limits.maximum, parameter) };
}

/**
 * Whether the limits of a parameter are what keepers agree on, and no source of weight has them.
 * @param {Preset} preset
 * @param {string} parameter
 */
export function isConvention({ limits }, parameter) {
    return limits.some((one) => one.parameter === parameter && one.convention);
}

/**
 * @param {number | null} canonical
 * @param {Parameter} parameter
 */
function shown(canonical, { scale, decimals }) {
    if (canonical === null) return null;
    const value = fromCanonical(canonical, scale);
    return value === null ? null : rounded(value, decimals);
}
