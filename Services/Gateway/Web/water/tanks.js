/**
 * What the service tells of somebody's water, and the tanks that it makes.
 */

import { apartOf } from "./apart.js";
import { heldOf } from "./periods.js";
import { mayAct } from "./projects.js";
import { shown } from "./scales.js";
import { snoozeOf } from "./snoozes.js";
import { workOf } from "./work.js";

/** @typedef {import("./headline.js").Gauge} Gauge */
/** @typedef {import("./headline.js").Tank} Tank */

/**
 * @typedef {object} Device
 * @property {string} id
 * @property {string} name
 * @property {'owner' | 'watcher'} role
 * @property {'device' | 'site'} [kind] A site is a place without a device; what was kept on this device may lack it, as the next four.
 * @property {number | null} [accuracy] In metres, of its position.
 * @property {string | null} [source] What told its position.
 * @property {{id: string, name: string, since: string} | null} [site] The site at which it stands.
 * @property {{at: string, values: {parameter: string, canonicalValue: number}[]} | null} [lastTest] The newest test of a site's water by hand.
 * @property {number | null} latitude
 * @property {number | null} longitude
 * @property {boolean} [showsOnDevice] Whether the device itself shows what its owner sees; what was kept on this device may lack it.
 * @property {boolean} [moves] Whether its owner says that it moves; what was kept on this device may lack it, as the next.
 * @property {import("./track.js").Position | null} [lastPosition] Where it was last, while it moves.
 * @property {string} since
 * @property {boolean | null} online
 * @property {string | null} silentSince
 * @property {import("./silence-hint.js").SilenceHint | null} [silenceHint] What it had said of itself before it fell silent; what was kept on this
 *     device may lack it.
 * @property {string | null} lastReadingAt
 * @property {{parameter: string, since: string, flatAt?: number | null}[]} [brokenProbes] What was kept on this device may lack it.
 *     flatAt is the value at which the probe has stayed, in the canonical unit; null where it reports an error.
 * @property {string | null} [second] The device in the same water with whose probes its own are compared; what was kept on this device may lack it.
 * @property {{parameter: string, since: string, by: number}[]} [differingProbes] By how much they read higher than those of the second, in the
 *     canonical unit; what was kept on this device may lack it.
 * @property {DeviceClock | null} [clock] Its clock, while that is wrong or may be; what was kept on this device may lack it.
 * @property {import("./headline.js").Unreadable | null} [unreadable] What was kept on this device may lack it.
 * @property {{id: string, name: string, role: import("./projects.js").Role} | null} [project] The project that it belongs to; what was kept on
 *     this device may lack it.
 * @property {import("./work.js").ToldWork | null} [work] What is done to its water now; what was kept on this device may lack it.
 */

/**
 * @typedef {object} DeviceClock
 * @property {number | null} lagSeconds How far it is behind, negative where it is ahead; null while that is not known.
 * @property {string | null} steppedAt When it was last put back.
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
 * @property {boolean} [follows] Whether its limits are those of the project that the device belongs to; what was kept may lack it.
 * @property {import("./periods.js").LimitPeriod[]} [periods] Limits at other times; what was kept may lack it, as the next two.
 * @property {string | null} [periodZone] The zone by whose clock they begin and end.
 * @property {import("./periods.js").HeldLimits | null} [held] The limits that hold just now; null: those above, always.
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

/** In sensor steps: a value that moves less stays the same. */
const leastMove = 0.05;

/**
 * @param {Device} device
 * @param {readonly Parameter[]} parameters In the person's order.
 * @param {ReadonlyMap<string, Latest> | undefined} latest
 * @param {readonly import("./snoozes.js").Snooze[]} [snoozes]
 * @param {readonly import("./answers.js").Answer[]} [answers]
 * @returns {Tank}
 */
export function tankOf(device, parameters, latest, snoozes = [], answers = []) {
    return {
        id: device.id,
        name: device.name,
        online: device.online,
        site: device.kind === "site" ? testedOf(device, parameters) : null,
        silentSince: timeOf(device.silentSince),
        silenceHint: device.silenceHint ?? null,
        unreadable: device.unreadable ?? null,
        work: workOf(device.work),
        isLookedAt: !mayAct(device),
        answers: answers.filter((answer) => answer.device === device.id),
        gauges: parameters.map((parameter) => gaugeOf(device, parameter, latest?.get(parameter.name), snoozes)),
    };
}

/**
 * What is known of a place by its newest test, in the person's units.
 * @param {Device} device
 * @param {readonly Parameter[]} parameters
 * @returns {NonNullable<Tank['site']>}
 */
function testedOf({ lastTest = null }, parameters) {
    const values = parameters.flatMap(({ name, scale }) => {
        const found = lastTest?.values.find(({ parameter }) => parameter === name);
        return found ? [{ name, value: shown(found.canonicalValue, scale) }] : [];
    });
    return { testedAt: timeOf(lastTest?.at ?? null), values };
}

/**
 * Since when a probe has been broken, and at which value it has stayed if it does not report an error. It works again once it
 * gives a newer value, or another one.
 * @param {Device} device
 * @param {Parameter} parameter
 * @param {Latest | undefined} last
 * @returns {Pick<Gauge, 'brokenSince' | 'isFlat'>}
 */
function faultOf({ brokenProbes }, { name, scale }, last) {
    const probe = brokenProbes?.find(({ parameter }) => parameter === name);
    if (!probe) return { brokenSince: null, isFlat: false };
    const { since, flatAt = null } = probe;
    const works = last !== undefined &&
        (flatAt === null ? isLater(last.time, since) : Math.abs(last.value - flatAt) * 10 ** (scale?.decimals ?? 0) >= leastMove);
    return { brokenSince: works ? null : Date.parse(since), isFlat: !works && flatAt !== null };
}

/**
 * @param {Device} device
 * @param {Parameter} parameter
 * @param {Latest | undefined} last
 * @param {readonly import("./snoozes.js").Snooze[]} snoozes
 * @returns {Gauge}
 */
function gaugeOf(device, parameter, last, snoozes) {
    const { name, unit, colour, computedFrom, least, greatest, decimals, scale } = parameter;
    const { minimum, maximum, criticalMinimum = null, criticalMaximum = null } = heldOf(parameter);
    const side = last?.side ?? null;
    return {
        name,
        unit,
        colour,
        computedFrom,
        range: { minimum, maximum, least, greatest, decimals, scale },
        value: last ? shown(last.value, scale) : null,
        time: timeOf(last?.time ?? null),
        ...faultOf(device, parameter, last),
        apart: apartOf(device, parameter),
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
