/**
 * Devices that are made by the app, and keys that are made anew: what is asked for, and what is shown once. Whoever makes them seals keys
 * for this page; opened they are in memory alone, until they are saved, the session ends or the window is closed.
 */

import { signal } from "../page/signals.js";
import { isProblem } from "../words/problem.js";
import { createCoalesced } from "./coalesced.js";
import { makeSealKeys } from "./sealed.js";

/**
 * Whether devices are made here.
 * @typedef {object} Standing
 * @property {'ready' | 'off' | 'silent'} state silent: whoever makes them has not been heard for a minute.
 * @property {boolean} allowed Whether whom this window acts for may have them made.
 * @property {number} left How many more today.
 * @property {number} most How many at once.
 */

/** @typedef {{id?: string, name?: string, firmware?: string, preset?: string}} Wished */

/** @typedef {import("../water/enrolment.js").Opened} Opened */
/** @typedef {import("../water/enrolment.js").Made} Made */

/**
 * @typedef {object} Batch
 * @property {boolean} isDone
 * @property {number} done
 * @property {number} of
 * @property {readonly Made[]} devices
 * @property {boolean} isSaved
 * @property {unknown} trouble Why it was not read just now.
 * @property {boolean} isGone Whether it is no longer to be had.
 */

/** @typedef {ReturnType<typeof createEnrolment>} Enrolment */

/** @typedef {(milliseconds: number) => Promise<void>} Wait */

/** Between two looks at what is being made: a large answer is asked for less often. */
const pace = Object.freeze({ usual: 1_000, large: 3_000, largeFrom: 100 });

/** @type {WeakMap<object, Enrolment>} */
const all = new WeakMap();

/**
 * The same for all screens.
 * @param {Parts} context
 */
export function enrolmentOf(context) {
    let enrolment = all.get(context.store);
    if (!enrolment) all.set(context.store, enrolment = createEnrolment(context));
    return enrolment;
}

/** @typedef {{api: Pick<import("./api.js").API, 'get' | 'post' | 'delete'>, store: Pick<import("./store.js").Store, 'account'>}} Parts */

/**
 * @param {Parts} parts
 * @param {Wait} [wait]
 */
export function createEnrolment({ api, store }, wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))) {
    const standing = signal(/** @type {Standing | null} */ (null));
    /** The last batch, until somebody is done with it. */
    const batch = signal(/** @type {Batch | null} */ (null));
    /** Counts what was begun, and sessions: what belongs to one that is over is dropped. */
    let turn = 0;

    const reading = createCoalesced(async () => {
        const mine = turn;
        const { data } = await api.get("/enrolment");
        if (mine === turn) standing.value = data;
    });

    store.account.subscribe(() => {
        if (store.account.value) return;
        forget();
        standing.value = null;
    });

    function forget() {
        turn += 1;
        batch.value = null;
    }

    /**
     * Has something made, and follows it from then on.
     * @param {string} path
     * @param {object} wish
     * @param {(next: Batch) => boolean} tell Whether somebody still wants to know.
     */
    async function run(path, wish, tell) {
        const { key, open } = await makeSealKeys();
        const { data } = await api.post(path, { key, ...wish }, { once: true });
        void follow(`/enrolment/batches/${encodeURIComponent(data.batch)}`, open, tell);
    }

    /**
     * @param {string} path
     * @param {import("./sealed.js").Open} open
     * @param {(next: Batch) => boolean} tell
     */
    async function follow(path, open, tell) {
        /** Messages that were opened, by their place: nothing is opened twice. @type {Map<number, Opened | null>} */
        const opened = new Map();
        /** @type {Batch} */
        let told = { isDone: false, done: 0, of: 0, devices: [], isSaved: false, trouble: null, isGone: false };
        while (!told.isDone && !told.isGone) {
            if (told.of > 0 || told.trouble) await wait(told.of > pace.largeFrom ? pace.large : pace.usual);
            try {
                told = { ...told, ...await readBatch(path, open, opened), trouble: null };
            } catch (trouble) {
                told = { ...told, trouble, isGone: isProblem(trouble) && trouble.status === 404 };
            }
            if (!tell(told)) return;
        }
        // With the keys here it is needed no more; otherwise it goes by itself within the hour.
        if (told.isDone) await api.delete(path).catch(() => {});
    }

    /**
     * @param {string} path
     * @param {import("./sealed.js").Open} open
     * @param {Map<number, Opened | null>} opened
     */
    async function readBatch(path, open, opened) {
        const { data } = await api.get(path);
        await Promise.all(data.devices.map(async (/** @type {{sealed: string | null}} */ { sealed }, /** @type {number} */ place) => {
            if (sealed !== null && !opened.has(place)) opened.set(place, await openedOf(open, sealed));
        }));
        /** @type {Made[]} */
        const devices = data.devices.map((/** @type {Made} */ { id, name, firmware, state, reason }, /** @type {number} */ place) => {
            const found = opened.get(place) ?? null;
            return { id, name, firmware: firmware ?? null, state, reason, opened: found, isUnreadable: opened.has(place) && found === null };
        });
        return { isDone: data.state === "done", done: data.done, of: data.of, devices };
    }

    return {
        standing,
        batch,

        /** Reads whether devices are made here; throws as the API does. */
        read: reading.ask,

        /**
         * Looks through a list, and makes nothing.
         * @param {string} csv
         * @returns {Promise<import("../water/enrolment.js").Looked>}
         */
        look: async (csv) => (await api.post("/enrolment/look", { csv })).data,

        /**
         * Has devices made; `batch` tells how far it is. Throws as the API does, where nothing was begun.
         * @param {readonly Wished[]} devices
         * @param {boolean} link Whether they are linked at once.
         */
        async make(devices, link) {
            forget();
            const mine = turn;
            await run("/enrolment", { link, devices }, (next) => {
                if (mine !== turn) return false;
                batch.value = { ...next, isSaved: batch.value?.isSaved ?? false };
                return true;
            });
        },

        /**
         * Has a device's key made anew: the former one ends.
         * @param {string} device
         * @param {(next: Batch) => boolean} tell Whether somebody still wants to know.
         */
        async rotate(device, tell) {
            const mine = turn;
            await run(`/devices/${encodeURIComponent(device)}/key`, {}, (next) => mine === turn && tell(next));
        },

        /** The keys of the last batch were saved. */
        saved() {
            if (batch.value) batch.value = { ...batch.value, isSaved: true };
        },

        /** Forgets the keys, which are needed no more. */
        end: forget,
    };
}

/**
 * @param {import("./sealed.js").Open} open
 * @param {string} sealed
 * @returns {Promise<Opened | null>}
 */
async function openedOf(open, sealed) {
    try {
        return JSON.parse(await open(sealed));
    } catch {
        return null;
    }
}

/**
 * Whether keys would be lost with the window.
 * @param {Batch | null} batch
 */
export function isAtStake(batch) {
    if (batch === null || batch.isSaved) return false;
    return batch.devices.some(({ opened }) => opened !== null) || !batch.isDone && !batch.isGone;
}
