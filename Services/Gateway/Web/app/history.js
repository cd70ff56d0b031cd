/**
 * The last 12 hours of what devices measure: read once, continued by what comes, kept for when there is no connection.
 */

import { commonGaps, swellsOf } from "../drawing/waterline.js";
import { signal } from "../page/signals.js";
import { isOutside } from "../water/headline.js";
import { departureOf } from "../water/ranges.js";
import { departuresOf, gapsOf, runsOf, worksOf } from "../water/runs.js";
import { appended, decoded } from "../water/series.js";
import { isGoingOn, workedIn } from "../water/work.js";

/** @typedef {import("../water/headline.js").Gauge} Gauge */
/** @typedef {import("../water/headline.js").Tank} Tank */
/** @typedef {import("../water/series.js").Period} Period */
/** @typedef {import("../water/series.js").Series} Series */
/** @typedef {ReturnType<typeof createHistory>} History */

const length = 12 * 3_600_000;
/** Drawings move on in such steps, so that they are not drawn anew every second. */
const grain = 60_000;
/** About two pixels of a sparkline each. */
const points = 120;
/** What was read so long before the stream began misses nothing that a drawing shows, but the last value. */
const lifetime = 15_000;
/** So many series are read at a time, whoever waits for them. */
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

/**
 * A device whose series are waited for.
 * @typedef {object} Job
 * @property {string} device
 * @property {string[]} names Of the parameters whose series have not begun.
 * @property {number} left How many have not come.
 * @property {(isRead?: boolean) => void} end
 */

/** Waits for the next frame. @param {() => void} run */
const frame = (run) => typeof requestAnimationFrame === "function" ? requestAnimationFrame(run) : setTimeout(run);

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
    /** When each device was read, and how far that is. @type {Map<string, {at: number, isRunning: boolean, isQueued: boolean}>} */
    const readings = new Map();
    /** Counts changes, for those who draw: once a frame, however many series come meanwhile. */
    const changes = signal(0);
    let isTold = true;
    /** Counts the changes of each device. @type {Map<string, number>} */
    const versions = new Map();
    /** What is waited for, the first first. @type {Job[]} */
    let waiting = [];
    let running = 0;
    let wasLive = store.connection.value.state === "live";
    /** Since when there is no stream. */
    let lostAt = Date.now();
    let owner = store.account.value?.email ?? "";

    /**
     * @param {string} device
     * @param {string} name
     */
    const keyOf = (device, name) => `${device} ${name}`;

    /** @param {string} device */
    function note(device) {
        versions.set(device, (versions.get(device) ?? 0) + 1);
        if (!isTold) return;
        isTold = false;
        frame(() => {
            isTold = true;
            changes.value += 1;
        });
    }

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
        const devices = new Set([...versions.keys(), ...readings.keys()]);
        found.clear();
        readings.clear();
        for (const job of waiting.splice(0)) job.end();
        // Whoever looks at them asks again, also where nothing had come yet.
        for (const device of devices) note(device);
    });

    /** @param {Tank} tank */
    async function read(tank) {
        // A device whose last values have not come yet has nothing to read so far.
        if (tank.gauges.every(({ time }) => time === null)) return;
        const known = readings.get(tank.id);
        const units = new Map(tank.gauges.map((gauge) => [gauge.name, gauge.unit]));
        const isUnitNew = tank.gauges.some((gauge) => {
            const series = found.get(keyOf(tank.id, gauge.name));
            return series !== undefined && series.unit !== units.get(gauge.name);
        });
        if (known && (known.isRunning || (!isUnitNew && Date.now() - known.at < length / 12))) return;
        const state = { at: Date.now(), isRunning: true, isQueued: false };
        readings.set(tank.id, state);
        if (!known) await recall(tank);
        if (readings.get(tank.id) !== state) return; // nobody looks at it any more
        state.isQueued = true;
        const isRead = await new Promise((end) => {
            const names = tank.gauges.filter((gauge) => gauge.time !== null).map(({ name }) => name);
            waiting.push({ device: tank.id, names, left: names.length, end: (isRead = false) => end(isRead) });
            pump();
        });
        if (isRead) keep(tank);
        // Without them the cards still tell the last values. It is tried again in a while, or with the next connection.
        else state.at = Date.now() - length / 12 + pause;
        state.isRunning = false;
    }

    /** Begins with what is waited for, as far as there are lanes. */
    function pump() {
        for (const job of waiting.filter(({ left }) => left === 0)) job.end(true);
        waiting = waiting.filter(({ names, left }) => left > 0 && names.length > 0);
        while (running < lanes && waiting.length > 0) {
            const [job] = waiting;
            const name = job.names.shift();
            if (job.names.length === 0) waiting.shift();
            if (name !== undefined) readSeries(job, name);
        }
    }

    /**
     * @param {Job} job
     * @param {string} name
     */
    async function readSeries(job, name) {
        running += 1;
        try {
            const { data } = await api.get(`/devices/${job.device}/parameters/${name}/series`, {
                query: { from: new Date(periodOf(Date.now()).from).toISOString(), points },
            });
            found.set(keyOf(job.device, name), decoded(data, store.deviceOf(job.device)?.since));
            note(job.device);
            job.left -= 1;
            if (job.left === 0) job.end(true);
        } catch {
            waiting = waiting.filter((other) => other !== job);
            job.end();
        } finally {
            running -= 1;
            pump();
        }
    }

    /**
     * Gives up what nobody looks at any more and has not begun.
     * @param {string} device
     */
    function leave(device) {
        const left = waiting.filter((job) => job.device === device);
        const state = readings.get(device);
        if (left.length === 0 && (!state?.isRunning || state.isQueued)) return;
        waiting = waiting.filter((job) => job.device !== device);
        readings.delete(device);
        for (const job of left) job.end();
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
        note(tank.id);
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
        leave,
        /**
         * Another number after any change of a device's series.
         * @param {string} device
         */
        versionOf: (device) => versions.get(device) ?? 0,
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
            const next = appended(series, { time: gauge.time, value: gauge.value, isWorked: isGoingOn(tank.work, gauge.time) }, periodOf(Date.now()).from);
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
 * @returns {{swells: import("../drawing/waterline.js").Swell[], gaps: Period[], works: Period[], isKnown: boolean}}
 */
export function lineOf(tank, seriesOf, period) {
    const known = tank.gauges.flatMap((gauge) => {
        const series = seriesOf(gauge);
        return series && runsOf(series).length > 0 ? [{ gauge, series }] : [];
    });
    const { work = null } = tank;
    const departures = known.flatMap(({ gauge, series }) => {
        // What came while somebody works is no departure yet.
        const own = departuresOf(series, gauge.range, departureOf).filter(({ from }) => !work || from < work.from || from >= work.until);
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
        works: workedIn([...work ? [work] : [], ...(known[0] ? worksOf(known[0].series, period) : []).map(({ from, to }) => ({ from, until: to }))], period),
        isKnown: known.length > 0,
    };
}
