/**
 * Reads everything from the service: at the start, and whenever the stream of events says so.
 */

import { isProblem, SignedOut } from "./problem.js";
import { latestOf } from "./water.js";

/** @typedef {import("./water.js").Device} Device */
/** @typedef {import("./live.js").LiveEvent} LiveEvent */

/** So many events are kept while everything is read; after more, it is read once more. */
const most = 1_000;
/** Between two attempts to catch up, in milliseconds. */
const leastPause = 2_000;
const mostPause = 60_000;

/**
 * One reading of everything.
 * @typedef {object} Run
 * @property {number} generation Of the person for whom it is.
 * @property {boolean} isStale Whether it has to be read once more.
 * @property {LiveEvent[]} told What the stream told since the reading began.
 * @property {Promise<void>} done
 */

/**
 * @param {object} parts
 * @param {import("./api.js").API} parts.api
 * @param {import("./known.js").Known} parts.known
 * @param {(event: LiveEvent) => void} parts.change What an event changes.
 * @param {(pause: number) => Promise<void>} [parts.sleep]
 */
export function createRefresh({ api, known, change, sleep = (pause) => new Promise((end) => setTimeout(end, pause)) }) {
    /** @type {Run | null} */
    let present = null;
    let isWaiting = false;

    /** @param {Run} run */
    async function load(run) {
        await known.settled();
        const { changes } = known;
        run.isStale = false;
        run.told = [];
        const listing = api.all("/devices", { query: { limit: 200 } });
        const [person, set, owned, lists, values, snoozes] = await Promise.all([
            api.get("/account"),
            api.get("/settings"),
            listing,
            listsOf(listing),
            api.get("/readings/latest"),
            api.get("/snoozes"),
        ]);
        if (run.generation !== known.generation) return; // somebody else has signed in meanwhile
        if (changes !== known.changes) {
            // What the person changed meanwhile is newer than the answers.
            run.isStale = true;
            return;
        }
        const parameters = new Map(lists.map(({ device, tag, parameters }) => [device, { items: parameters, tag }]));
        const before = new Map(known.devices.value?.map((/** @type {Device} */ device) => [device.id, device]));
        known.account.value = person.data;
        known.settings.value = set.data;
        known.settingsTag = set.tag;
        known.parameters.value = renewed(known.parameters.value, parameters);
        known.latest.value = renewed(known.latest.value, latestOf(values.data));
        known.snoozes.value = same(known.snoozes.value, snoozes.data) ? known.snoozes.value : snoozes.data;
        // What was linked or unlinked in between is told by the stream.
        const listed = owned.filter(({ id }) => parameters.has(id)).map((device) => /** @type {const} */ ([device.id, device]));
        known.devices.value = [...renewed(before, new Map(listed)).values()];
        // The answers may be older than what was told meanwhile, and nobody tells it twice.
        for (const event of run.told) change(event);
        known.keep();
    }

    /**
     * The parameters of each device.
     * @param {Promise<Device[]>} listing
     */
    async function listsOf(listing) {
        try {
            return await api.all("/parameters", { query: { limit: 50 } });
        } catch (error) {
            // While versions change, an earlier one may answer, which lists them by device alone.
            if (!isMissing(error)) throw error;
            const lists = await Promise.all((await listing).map(({ id }) => listOf(id)));
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

    /** Whoever asks while it is read waits for a reading that began after the question. */
    async function refresh() {
        if (present?.generation === known.generation) {
            present.isStale = true;
            return await present.done;
        }
        /** @type {Run} */
        const run = { generation: known.generation, isStale: false, told: [], done: Promise.resolve() };
        run.done = repeat(run).finally(() => {
            if (present === run) present = null;
        });
        present = run;
        return await run.done;
    }

    /** Waits for the reading that is under way; without one, reads everything. */
    const read = () => present?.generation === known.generation ? present.done : refresh();

    /**
     * Reads everything because the stream says so, again and again until it succeeds: the stream does not say it twice.
     * @param {number} [pause]
     */
    async function catchUp(pause = leastPause) {
        // The attempt after the pause reads what is new then.
        if (isWaiting) return;
        const { generation } = known;
        try {
            await refresh();
        } catch (error) {
            if (isWaiting || error instanceof SignedOut || generation !== known.generation) return;
            isWaiting = true;
            await sleep(Math.max(pause, isProblem(error) ? (error.retryAfter ?? 0) * 1_000 : 0));
            isWaiting = false;
            if (generation === known.generation) await catchUp(Math.min(2 * pause, mostPause));
        }
    }

    return {
        read,
        refresh,
        catchUp,
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
