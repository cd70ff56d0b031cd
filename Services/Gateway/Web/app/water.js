/**
 * What the service tells of somebody's water, and the tanks that it makes.
 */

import { shown } from "./scales.js";

/** @typedef {import("./headline.js").Gauge} Gauge */
/** @typedef {import("./headline.js").Tank} Tank */

/**
 * @typedef {object} Device
 * @property {string} id
 * @property {string} name
 * @property {'owner' | 'watcher'} role
 * @property {number | null} latitude
 * @property {number | null} longitude
 * @property {string} since
 * @property {boolean | null} online
 * @property {string | null} silentSince
 * @property {string | null} lastReadingAt
 * @property {{parameter: string, since: string}[]} [brokenProbes] What was kept on this device may lack it.
 */

/**
 * @typedef {object} Parameter
 * @property {string} name
 * @property {string} unit
 * @property {string[]} units
 * @property {number | null} minimum
 * @property {number | null} maximum
 * @property {boolean} hasMinimum
 * @property {number} least
 * @property {number} greatest
 * @property {number} decimals
 * @property {import("./scales.js").Scale} [scale] What was kept on this device may lack it.
 * @property {string} colour
 * @property {number} position
 * @property {number} version
 */

/**
 * The last value of one parameter, in its canonical unit.
 * @typedef {object} Latest
 * @property {number} value
 * @property {string} time
 * @property {import("./ranges.js").Side | null} side
 * @property {string | null} since
 */

/** @typedef {{items: Parameter[], tag: string | null}} ParameterList */

/**
 * @param {Device} device
 * @param {readonly Parameter[]} parameters In the person's order.
 * @param {ReadonlyMap<string, Latest> | undefined} latest
 * @returns {Tank}
 */
export function tankOf(device, parameters, latest) {
    return {
        id: device.id,
        name: device.name,
        online: device.online,
        silentSince: timeOf(device.silentSince),
        gauges: parameters.map((parameter) => gaugeOf(parameter, latest?.get(parameter.name), brokenSince(device, parameter.name))),
    };
}

/**
 * @param {Device} device
 * @param {string} parameter
 */
function brokenSince({ brokenProbes }, parameter) {
    return timeOf(brokenProbes?.find((probe) => probe.parameter === parameter)?.since ?? null);
}

/**
 * @param {Parameter} parameter
 * @param {Latest | undefined} last
 * @param {number | null} brokenSince
 * @returns {Gauge}
 */
function gaugeOf(parameter, last, brokenSince) {
    const { name, unit, colour, minimum, maximum, least, greatest, decimals, scale } = parameter;
    return {
        name,
        unit,
        colour,
        range: { minimum, maximum, least, greatest, decimals, scale },
        value: last ? shown(last.value, scale) : null,
        time: timeOf(last?.time ?? null),
        // A value that is newer shows that it works again.
        brokenSince: last && brokenSince !== null && Date.parse(last.time) > brokenSince ? null : brokenSince,
        side: last?.side ?? null,
        since: timeOf(last?.since ?? null),
    };
}

/**
 * The last values by device and parameter.
 * @param {{device: string, parameter: string, time: string, canonicalValue: number, state: string, since: string | null}[]} rows
 */
export function latestOf(rows) {
    /** @type {Map<string, Map<string, Latest>>} */
    const latest = new Map();
    for (const { device, parameter, time, canonicalValue, state, since } of rows) {
        const values = latest.get(device) ?? new Map();
        const side = state === "low" || state === "high" ? state : null;
        values.set(parameter, { value: canonicalValue, time, side, since });
        latest.set(device, values);
    }
    return latest;
}

/**
 * Times with and without fractions of a second do not sort as texts.
 * @param {string} one
 * @param {string} other
 */
export function isLater(one, other) {
    return Date.parse(one) > Date.parse(other);
}

/** @param {string | null} text */
function timeOf(text) {
    return text === null ? null : Date.parse(text);
}
