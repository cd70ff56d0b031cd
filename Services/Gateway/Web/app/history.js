/**
 * The last 12 hours of what devices measure: read once, continued by what comes, kept for when there is no connection.
 */

import { isOutside } from "./headline.js";
import { departureOf } from "./ranges.js";
import { departuresOf, gapsOf, runsOf } from "./runs.js";
import { appended, decoded } from "./series.js";
import { signal } from "./signals.js";
import { commonGaps, swellsOf } from "./waterline.js";

/** @typedef {import("./headline.js").Gauge} Gauge */
/** @typedef {import("./headline.js").Tank} Tank */
/** @typedef {import("./series.js").Period} Period */
/** @typedef {import("./series.js").Series} Series */
/** @typedef {ReturnType<typeof createHistory>} History */

export const length = 12 * 3_600_000;
/** Drawings move on in such steps, so that they are not drawn anew every second. */
const grain = 60_000;
/** About two pixels of a sparkline each. */
const points = 120;
/** What was read so long before the stream began misses nothing that a drawing shows, but the last value. */
const lifetime = 15_000;
/** So many are read at a time. */
const lanes = 3;
const pause = 30_000;

/**
 * The period that all drawings of a moment share.
 * @param {number} now
 * @returns {Period}
 */
export function periodOf(now) {
    const to = Math.ceil(now / grain) * grain;
    return { from: to - length, to };
}

/** @type {WeakMap<object, History>} */
const histories = new WeakMap();

/**
 * The history that all screens of one person share.
 * @param {{api: import("./api.js").API, store: import("./store.js").Store}} context
 * @returns {History}
 */
export function historyOf(context) {
    let history = histories.get(context.store);
    if (!history) {
        history = createHistory(context);
        histories.set(context.store, history);
    }
    return history;
}

/** @param {{api: import("./api.js").API, store: import("./store.js").Store}} context */
function createHistory({ api, store }) {
    /** @type {Map<string, Series>} */
    const found = new Map();
    /** When each device was read, and whether it is being read. @type {Map<string, {at: number, isRunning: boolean}>} */
    const readings = new Map();
    /** Counts changes, for those who draw. */
    const changes = signal(0);
    let wasLive = store.connection.value.state === "live";
    /** Since when there is no stream. */
    let lostAt = Date.now();
    let owner = store.account.value?.email ?? "";

    /**
     * @param {string} device
     * @param {string} name
     */
    const keyOf = (device, name) => `${device} ${name}`;

    // After a pause of the stream nobody knows what was missed: it is read again, unless that was done while the stream began.
    store.connection.subscribe(() => {
        const isLive = store.connection.value.state === "live";
        const now = Date.now();
        if (wasLive && !isLive) lostAt = now;
        if (isLive && !wasLive) {
            for (const [device, { at }] of readings) if (at < lostAt || now - at > lifetime) readings.delete(device);
        }
        wasLive = isLive;
        changes.value += 1;
    });
    // What somebody else has signed in for is not theirs.
    store.account.subscribe(() => {
        const next = store.account.value?.email ?? "";
        if (next === owner) return;
        owner = next;
        found.clear();
        readings.clear();
        changes.value += 1;
    });

    /** @param {Tank} tank */
    async function read(tank) {
        const known = readings.get(tank.id);
        const units = new Map(tank.gauges.map((gauge) => [gauge.name, gauge.unit]));
        const isUnitNew = tank.gauges.some((gauge) => {
            const series = found.get(keyOf(tank.id, gauge.name));
            return series !== undefined && series.unit !== units.get(gauge.name);
        });
        if (known && (known.isRunning || (!isUnitNew && Date.now() - known.at < length / 12))) return;
        const state = { at: Date.now(), isRunning: true };
        readings.set(tank.id, state);
        if (!known) await recall(tank);
        const waiting = tank.gauges.filter((gauge) => gauge.time !== null);
        const from = new Date(periodOf(Date.now()).from).toISOString();
        const work = Array.from({ length: lanes }, async () => {
            for (let gauge = waiting.shift(); gauge; gauge = waiting.shift()) {
                const { data } = await api.get(`/devices/${tank.id}/parameters/${gauge.name}/series`, {
                    query: { from, points },
                });
                found.set(keyOf(tank.id, gauge.name), decoded(data, store.deviceOf(tank.id)?.since));
                changes.value += 1;
            }
        });
        try {
            await Promise.all(work);
            keep(tank);
        } catch {
            // Without them the cards still tell the last values. It is tried again in a while, or with the next connection.
            state.at = Date.now() - length / 12 + pause;
        } finally {
            state.isRunning = false;
        }
    }

    /** @param {Tank} tank */
    async function recall(tank) {
        const kept = await store.kept(`history ${tank.id}`);
        if (!Array.isArray(kept)) return;
        for (const [name, series] of kept) {
            const gauge = tank.gauges.find((gauge) => gauge.name === name);
            if (gauge && series?.unit === gauge.unit && !found.has(keyOf(tank.id, name))) {
                found.set(keyOf(tank.id, name), series);
            }
        }
        changes.value += 1;
    }

    /** @param {Tank} tank */
    function keep(tank) {
        const series = tank.gauges.flatMap(({ name }) => {
            const own = found.get(keyOf(tank.id, name));
            return own ? [[name, own]] : [];
        });
        store.keep(`history ${tank.id}`, series);
    }

    return {
        changes,
        /**
         * Reads what is not known of a device.
         * @param {Tank} tank
         */
        read,
        /**
         * The series of a parameter up to its last value; null while it is not known.
         * @param {Tank} tank
         * @param {Gauge} gauge
         * @returns {Series | null}
         */
        seriesOf(tank, gauge) {
            const key = keyOf(tank.id, gauge.name);
            const series = found.get(key);
            if (!series || series.unit !== gauge.unit) return null;
            if (gauge.time === null || gauge.value === null) return series;
            const next = appended(series, { time: gauge.time, value: gauge.value }, periodOf(Date.now()).from);
            if (next !== series) found.set(key, next);
            return next;
        },
    };
}

/**
 * The line of a whole device, of the series that are known.
 * @param {Tank} tank
 * @param {(gauge: Gauge) => Series | null} seriesOf
 * @param {Period} period
 * @returns {{swells: import("./waterline.js").Swell[], gaps: Period[], isKnown: boolean}}
 */
export function lineOf(tank, seriesOf, period) {
    const known = tank.gauges.flatMap((gauge) => {
        const series = seriesOf(gauge);
        return series && runsOf(series).length > 0 ? [{ gauge, series }] : [];
    });
    const departures = known.flatMap(({ gauge, series }) => {
        const own = departuresOf(series, gauge.range, departureOf);
        // An episode that is open lasts until now, whatever is known of the hours before.
        if (isOutside(gauge)) {
            const worst = departureOf(gauge.value, gauge.range);
            own.push({ from: gauge.since ?? gauge.time ?? period.to, to: period.to, worst, isOpen: true });
        }
        return own;
    });
    return {
        swells: swellsOf(departures, period, 10 * 60_000),
        gaps: commonGaps(known.map(({ series }) => gapsOf(series, period))),
        isKnown: known.length > 0,
    };
}
