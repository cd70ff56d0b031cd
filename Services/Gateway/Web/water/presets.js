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
 * @property {boolean} [own] Whether it is a person's or a project's own.
 * @property {string | null} [project] The project whose it is, where it is not the account's own.
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
 * @property {number} [periods] How many limits at other times it has.
 */

/** @typedef {{id: string, name: string, project: string | null, version: number, parameters: Parameter[]}} OwnPreset In units of its own. */

/**
 * Limits of a parameter and all that stands beside them, as the service takes them; what is left out is none, or as it is.
 * @typedef {{parameter: string} & Partial<Pick<Parameter, "unit" | "periods"> & import("./limits.js").RangeChange>} WholeLimits
 */

/** The parts of a parameter that a preset has. */
const parts = Object.freeze(/** @type {const} */ (["unit", "maximum", "criticalMinimum", "criticalMaximum", "delaySeconds", "tellsUnstable", "changePerHour", "aheadMinutes", "periods"]));

/**
 * All that is set of a parameter but colour and order.
 * @param {Parameter} parameter
 * @returns {WholeLimits}
 */
export function wholeOf(parameter) {
    const known = parts.flatMap((part) => parameter[part] === undefined ? [] : [[part, parameter[part]]]);
    return { parameter: parameter.name, ...parameter.hasMinimum ? { minimum: parameter.minimum } : {}, ...Object.fromEntries(known) };
}

/**
 * The parameters of a device that somebody has set anything of: what a preset is made of.
 * @param {readonly Parameter[]} parameters
 */
export const setOf = (parameters) =>
    parameters.filter(({ minimum, maximum, changePerHour, periods }) => minimum !== null || maximum !== null || (changePerHour ?? null) !== null || (periods ?? []).length > 0);

/**
 * The limits of a preset that comes with the service, which takes away what belonged to the former limits.
 * @param {Preset} preset
 * @param {readonly Parameter[]} [parameters] In whose units they are, where those have such values; the others in canonical ones.
 * @returns {WholeLimits[]}
 */
export const wholeLimitsOf = (preset, parameters = []) =>
    preset.limits.map((limits) => {
        const own = parameters.find(({ name }) => name === limits.parameter);
        const next = own ? withPreset(own, preset) : null;
        const isWhole = next && (next.minimum === null) === (limits.minimum === null) && (next.maximum === null) === (limits.maximum === null);
        const { unit, minimum, maximum } = isWhole ? next : limits;
        return { parameter: limits.parameter, unit, minimum, maximum, criticalMinimum: null, criticalMaximum: null, periods: [] };
    });

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
