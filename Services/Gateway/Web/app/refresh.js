/**
 * Reads from the service: everything at the start, and whatever the stream of events says has changed.
 */

import { latestOf } from "../water/tanks.js";
import { isProblem, SignedOut } from "../words/problem.js";
import { createChange } from "./events.js";

/** @typedef {import("../water/tanks.js").Device} Device */
/** @typedef {import("./live.js").LiveEvent} LiveEvent */

/** So many events are kept while everything is read; after more, it is read once more. */
const most = 1_000;
/** Between two attempts to catch up, in milliseconds. */
const leastPause = 2_000;
const mostPause = 60_000;

/** What is read by itself: settings with the account; devices with their parameters, last values, snoozes and answers; snoozes with answers. */
const everything = Object.freeze(/** @type {const} */ (["settings", "devices", "parameters", "snoozes"]));
/** @typedef {typeof everything[number]} Part */

/**
 * What is read beside all this, by the screens that show it: chains, and who may alert whom; reminders, and what was done about them; what
 * people wrote down.
 */
const beside = Object.freeze(/** @type {const} */ (["calls", "care", "journal"]));
/** @typedef {typeof beside[number]} PartBeside */

/**
 * The parts of what a person has set up that an event names.
 * @param {any} data
 * @returns {{parts: readonly Part[], others: readonly PartBeside[]}} All of them where it names none, or one that is not known here.
 */
export function partsOf(data) {
    const named = Array.isArray(data?.parts) ? data.parts : [];
    const isKnown = named.length > 0 && named.every((/** @type {any} */ part) => beside.includes(part) || everything.includes(part));
    if (!isKnown) return { parts: everything, others: beside };
    return { parts: everything.filter((part) => named.includes(part)), others: beside.filter((part) => named.includes(part)) };
}

/**
 * One reading.
 * @typedef {object} Run
 * @property {number} generation Of the person for whom it is.
 * @property {Set<Part>} parts What is read.
 * @property {boolean} isStale Whether it has to be read once more.
 * @property {LiveEvent[]} told What the stream told since the reading began.
 * @property {Promise<void>} done
 */

/**
 * @param {object} parts
 * @param {import("./api.js").API} parts.api
 * @param {import("./known.js").Known} parts.known
 * @param {(pause: number) => Promise<void>} [parts.sleep]
 */
export function createRefresh({ api, known, sleep = (pause) => new Promise((end) => setTimeout(end, pause)) }) {
    const change = createChange(known);
    /** @type {Run | null} */
    let present = null;
    let isWaiting = false;
    /** What the stream asked for, and nobody reads at this moment. @type {Set<Part>} */
    let owed = new Set();

    /** @param {Run} run */
    async function load(run) {
        await known.settled();
        const { changes } = known;
        run.isStale = false;
        run.told = [];
        // Whoever knows nothing yet is helped by no part.
        const parts = new Set(known.devices.value ? run.parts : everything);
        const hasDevices = parts.has("devices");
        const listing = hasDevices ? api.all("/devices", { query: { limit: 200 } }) : null;
        const hasSnoozes = hasDevices || parts.has("snoozes");
        const [person, set, owned, lists, values, snoozes, answers] = await Promise.all([
            parts.has("settings") ? api.get("/account") : null,
            parts.has("settings") ? api.get("/settings") : null,
            listing,
            hasDevices || parts.has("parameters") ? listsOf(listing) : null,
            hasDevices ? api.get("/readings/latest") : null,
            hasSnoozes ? api.get("/snoozes") : null,
            hasSnoozes ? answersNow() : null,
        ]);
        if (run.generation !== known.generation) return; // somebody else has signed in meanwhile
        if (changes !== known.changes) {
            // What the person changed meanwhile is newer than the answers.
            run.isStale = true;
            return;
        }
        if (person && set) {
            known.account.value = person.data;
            known.settings.value = set.data;
            known.settingsTag = set.tag;
        }
        const before = new Map(known.devices.value?.map((/** @type {Device} */ device) => [device.id, device]));
        const parameters = lists && new Map(lists.map(({ device, tag, parameters }) => [device, { items: parameters, tag }]));
        if (parameters) known.parameters.value = renewed(known.parameters.value, parameters);
        if (values) known.latest.value = renewed(known.latest.value, latestOf(values.data));
        if (snoozes && !same(known.snoozes.value, snoozes.data)) known.snoozes.value = snoozes.data;
        if (answers && !same(known.answers.value, answers)) known.answers.value = answers;
        if (owned && parameters) {
            // What was linked or unlinked in between is told by the stream.
            const listed = owned.filter(({ id }) => parameters.has(id)).map((device) => /** @type {const} */ ([device.id, device]));
            known.devices.value = [...renewed(before, new Map(listed)).values()];
        }
        // The answers may be older than what was told meanwhile, and nobody tells it twice.
        for (const event of run.told) change(event);
        known.keep();
    }

    /**
     * Reads who is on what.
     * @returns {Promise<import("../water/answers.js").Answer[]>}
     */
    async function answersNow() {
        try {
            return (await api.get("/answers")).data;
        } catch (error) {
            // While versions change, an earlier one may answer, which knows of none.
            if (!isMissing(error)) throw error;
            return [];
        }
    }

    /**
     * The parameters of each device.
     * @param {Promise<Device[]> | null} listing The devices, where they are read too.
     */
    async function listsOf(listing) {
        try {
            return await api.all("/parameters", { query: { limit: 50 } });
        } catch (error) {
            // While versions change, an earlier one may answer, which lists them by device alone.
            if (!isMissing(error)) throw error;
            const devices = await listing ?? known.devices.value ?? [];
            const lists = await Promise.all(devices.map(({ id }) => listOf(id)));
            return lists.filter((list) => list !== null);
        }
    }

    /**
     * @param {string} device
     * @returns {Promise<any>} `null` of a device that was unlinked since the devices were listed.
     */
    async function listOf(device) {
        try {
            const { data, tag } = await api.get(`/devices/${device}/parameters`);
            return { device, tag, parameters: data };
        } catch (error) {
            if (isMissing(error)) return null;
            throw error;
        }
    }

    /** @param {Run} run */
    async function repeat(run) {
        do {
            try {
                await load(run);
            } catch (error) {
                // Who asked meanwhile is owed a reading that began afterwards, whatever became of this one.
                if (!run.isStale || error instanceof SignedOut || run.generation !== known.generation) throw error;
                run.isStale = false;
                await load(run);
            }
        } while (run.isStale && run.generation === known.generation);
    }

    /**
     * Whoever asks while it is read waits for a reading that began after the question.
     * @param {Iterable<Part>} [parts]
     */
    async function refresh(parts = everything) {
        if (present?.generation === known.generation) {
            for (const part of parts) present.parts.add(part);
            present.isStale = true;
            return await present.done;
        }
        /** @type {Run} */
        const run = { generation: known.generation, parts: new Set(parts), isStale: false, told: [], done: Promise.resolve() };
        run.done = repeat(run).finally(() => {
            if (present === run) present = null;
        });
        present = run;
        return await run.done;
    }

    /** Waits for the reading of everything that is under way; without one, reads everything. */
    const read = () =>
        present?.generation === known.generation && everything.every((part) => present?.parts.has(part)) ? present.done : refresh();

    /**
     * Reads what the stream says, again and again until it succeeds: the stream does not say it twice.
     * @param {Iterable<Part>} [parts]
     * @param {number} [pause]
     */
    async function catchUp(parts = everything, pause = leastPause) {
        for (const part of parts) owed.add(part);
        // The attempt after the pause reads what is new then.
        if (isWaiting) return;
        const { generation } = known;
        const asked = owed;
        owed = new Set();
        try {
            await refresh(asked);
        } catch (error) {
            if (error instanceof SignedOut || generation !== known.generation) return;
            for (const part of asked) owed.add(part);
            if (isWaiting) return;
            isWaiting = true;
            await sleep(Math.max(pause, isProblem(error) ? (error.retryAfter ?? 0) * 1_000 : 0));
            isWaiting = false;
            if (generation === known.generation) await catchUp([], Math.min(2 * pause, mostPause));
            else owed = new Set();
        }
    }

    return {
        read,
        refresh,
        catchUp,
        /** Whether answers are on their way, which may be of before what the stream tells. */
        isReading: () => present !== null,
        /** @param {LiveEvent} event What the stream tells. */
        note(event) {
            change(event);
            if (!present) return;
            if (present.told.length < most) present.told.push(event);
            else present.isStale = true;
        },
    };
}

/**
 * What was read, with what is as it was before in place of its copy: only the tanks that have changed are made, drawn and written anew.
 * @template T
 * @param {ReadonlyMap<string, T> | undefined} before
 * @param {ReadonlyMap<string, T>} next
 * @returns {Map<string, T>}
 */
function renewed(before, next) {
    return new Map([...next].map(([key, value]) => {
        const had = before?.get(key);
        return [key, had !== undefined && same(had, value) ? had : value];
    }));
}

/**
 * @param {unknown} one
 * @param {unknown} other
 */
function same(one, other) {
    return textOf(one) === textOf(other);
}

/** @param {unknown} value */
function textOf(value) {
    return JSON.stringify(value instanceof Map ? [...value] : value);
}

/** @param {unknown} error */
function isMissing(error) {
    return isProblem(error) && error.status === 404;
}
