/**
 * What is known of each device: what the server told once, and what came since. Everything here states how things are; an
 * event that comes twice changes nothing, and one that is older than what is known changes nothing either.
 */

import { fromCanonical } from "./ranges.js";
import { timeOrNull } from "./series.js";

/** @typedef {import("./headline.js").Tank} Tank */
/** @typedef {import("./headline.js").Gauge} Gauge */
/** @typedef {import("./ranges.js").Side} Side */

/**
 * @param {unknown} value
 * @returns {number | null}
 */
function numberOrNull(value) {
    return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/**
 * @param {unknown} state
 * @returns {Side | null}
 */
function sideOrNull(state) {
    return state === "low" || state === "high" ? state : null;
}

/**
 * A device with its parameters in the person's order, and their last values.
 * @param {any} device As `GET /devices` tells it.
 * @param {readonly any[]} parameters As `GET /devices/{device}/parameters` tells them.
 * @param {readonly any[]} latest As `GET /readings/latest` tells them, of any devices.
 * @returns {Tank}
 */
export function tankOf(device, parameters, latest) {
    const own = new Map(
        latest.filter((reading) => reading.device === device.id).map((reading) => [reading.parameter, reading]),
    );
    return {
        id: String(device.id),
        name: String(device.name),
        online: typeof device.online === "boolean" ? device.online : null,
        silentSince: timeOrNull(device.silentSince),
        gauges: [...parameters].sort((one, other) => one.position - other.position).map((parameter) => {
            const reading = own.get(parameter.name);
            return {
                name: String(parameter.name),
                unit: String(parameter.unit),
                colour: String(parameter.colour),
                range: {
                    minimum: numberOrNull(parameter.minimum),
                    maximum: numberOrNull(parameter.maximum),
                    least: numberOrNull(parameter.least) ?? 0,
                    greatest: numberOrNull(parameter.greatest) ?? 0,
                    decimals: numberOrNull(parameter.decimals) ?? 1,
                },
                value: valueOf(reading, String(parameter.unit)),
                time: timeOrNull(reading?.time),
                side: sideOrNull(reading?.state),
                since: timeOrNull(reading?.since),
            };
        }),
    };
}

/**
 * A last value in the unit of the parameter, which may have changed since it was told.
 * @param {any} reading
 * @param {string} unit
 */
function valueOf(reading, unit) {
    const value = numberOrNull(reading?.value);
    if (value === null || reading.unit === unit) return value;
    const canonical = numberOrNull(reading.canonicalValue);
    return canonical === null ? null : fromCanonical(canonical, unit);
}

/**
 * @param {Tank} tank
 * @param {string} name
 * @param {(gauge: Gauge) => Gauge} change
 * @returns {Tank}
 */
function changed(tank, name, change) {
    const index = tank.gauges.findIndex((gauge) => gauge.name === name);
    if (index < 0) return tank;
    const next = change(tank.gauges[index]);
    if (next === tank.gauges[index]) return tank;
    const gauges = [...tank.gauges];
    gauges[index] = next;
    return { ...tank, gauges };
}

/**
 * The device after a live event: `reading`, `device` or `episode`.
 * @param {Tank} tank
 * @param {string} name
 * @param {any} event
 * @returns {Tank}
 */
export function applied(tank, name, event) {
    if (event?.device !== tank.id) return tank;
    switch (name) {
        case "reading": {
            const time = timeOrNull(event.time);
            if (time === null) return tank;
            let next = tank;
            for (const [parameter, value] of Object.entries(event.values ?? {})) {
                next = changed(next, parameter, (gauge) => {
                    const told = numberOrNull(value);
                    if (told === null || (gauge.time !== null && gauge.time >= time)) return gauge;
                    return { ...gauge, value: fromCanonical(told, gauge.unit), time };
                });
            }
            return next;
        }
        case "device": {
            if (typeof event.online !== "boolean" || event.online === tank.online) return tank;
            return { ...tank, online: event.online, silentSince: event.online ? null : timeOrNull(event.since) };
        }
        case "episode": {
            const side = event.state === "open" ? sideOrNull(event.side) : null;
            const since = side === null ? null : timeOrNull(event.since);
            return changed(tank, String(event.parameter), (gauge) =>
                gauge.side === side && gauge.since === since ? gauge : { ...gauge, side, since });
        }
        default:
            return tank;
    }
}

/**
 * The values of a live reading in the person's units, for drawings that go on.
 * @param {Tank} tank
 * @param {any} event
 * @returns {Map<string, {time: number, value: number}>}
 */
export function samplesOf(tank, event) {
    /** @type {Map<string, {time: number, value: number}>} */
    const samples = new Map();
    const time = timeOrNull(event?.time);
    if (event?.device !== tank.id || time === null) return samples;
    for (const gauge of tank.gauges) {
        const value = numberOrNull(event.values?.[gauge.name]);
        if (value !== null) samples.set(gauge.name, { time, value: fromCanonical(value, gauge.unit) });
    }
    return samples;
}
