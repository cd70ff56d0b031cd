/**
 * What the service tells of somebody's water, and the tanks that it makes.
 */

import { shown } from "./scales.js";
import { snoozeOf } from "./snoozes.js";

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
 * @property {number | null} [criticalMinimum] Beyond the minimum; what was kept on this device may lack it, as the next six.
 * @property {number | null} [criticalMaximum]
 * @property {number} [delaySeconds] For how long a value must have been out of range before it alarms.
 * @property {boolean} [tellsUnstable] Whether a value that keeps leaving its range is told once, in place of its alarms.
 * @property {number | null} [changePerHour] A greater change within an hour alarms; null: none does.
 * @property {{unit: string, decimals: number, least: number, greatest: number}} [change] In which unit, and what it can be.
 * @property {number | null} [aheadMinutes] How long before a limit is reached it is told; null: it is not.
 * @property {boolean} hasMinimum
 * @property {number} least
 * @property {number} greatest
 * @property {number} decimals
 * @property {import("./scales.js").Scale} [scale] What was kept on this device may lack it.
 * @property {string[]} [computedFrom] What it is computed from where the device does not send it. What was kept on this device
 *     may lack it.
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
 * @param {readonly import("./snoozes.js").Snooze[]} [snoozes]
 * @returns {Tank}
 */
export function tankOf(device, parameters, latest, snoozes = []) {
    return {
        id: device.id,
        name: device.name,
        online: device.online,
        silentSince: timeOf(device.silentSince),
        gauges: parameters.map((parameter) => gaugeOf(device, parameter, latest?.get(parameter.name), snoozes)),
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
 * @param {Device} device
 * @param {Parameter} parameter
 * @param {Latest | undefined} last
 * @param {readonly import("./snoozes.js").Snooze[]} snoozes
 * @returns {Gauge}
 */
function gaugeOf(device, parameter, last, snoozes) {
    const { name, unit, colour, computedFrom, minimum, maximum, least, greatest, decimals, scale } = parameter;
    const { criticalMinimum = null, criticalMaximum = null } = parameter;
    const side = last?.side ?? null;
    const broken = brokenSince(device, name);
    return {
        name,
        unit,
        colour,
        computedFrom,
        range: { minimum, maximum, least, greatest, decimals, scale },
        value: last ? shown(last.value, scale) : null,
        time: timeOf(last?.time ?? null),
        // A value that is newer shows that it works again.
        brokenSince: last && broken !== null && Date.parse(last.time) > broken ? null : broken,
        side,
        critical: { minimum: criticalMinimum, maximum: criticalMaximum },
        snoozed: side === null ? null : snoozeOf(snoozes, { device: device.id, kind: "range", parameter: name, side }),
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
