/** Calibration logs: read from the service, kept on this device, and written offline like all care. */

import { NotKept } from "../components/journal-list/model.js";
import { aboutOf, laidOver } from "../water/calibration.js";
import { computed, signal } from "../page/signals.js";
import { OutboxFull, outboxOf } from "./outbox.js";
import { versionTag } from "./versions.js";

/** @typedef {import("../water/calibration.js").Entry} Entry */
/** @typedef {import("../water/calibration.js").Log} Log */
/** @typedef {import("../water/calibration.js").Standing} Standing */
/** @typedef {ReturnType<typeof createCalibrations>} Calibrations */

/** What was read so long ago is read again when somebody looks. */
const lifetime = 600_000;
/** What did not come is asked for again after so long. */
const pause = 60_000;

/** @type {WeakMap<object, Calibrations>} */
const all = new WeakMap();

/**
 * The logs that all screens of one person share.
 * @param {Pick<import("./context.js").Context, 'api' | 'store'>} context
 * @returns {Calibrations}
 */
export function calibrationsOf(context) {
    let calibrations = all.get(context.store);
    if (!calibrations) {
        calibrations = createCalibrations({ ...context, outbox: outboxOf(context) });
        all.set(context.store, calibrations);
    }
    return calibrations;
}

/**
 * @param {object} parts
 * @param {Pick<import("./api.js").API, 'get'>} parts.api
 * @param {Pick<import("./store.js").Store, 'account' | 'journalNews' | 'keep' | 'kept'>} parts.store
 * @param {Pick<import("./outbox.js").Outbox, 'add' | 'waiting' | 'onAnswer' | 'retry' | 'remove'>} parts.outbox
 */
export function createCalibrations({ api, store, outbox }) {
    /** What the service has told, by device and parameter. */
    const known = signal(/** @type {ReadonlyMap<string, Log>} */ (new Map()));
    /** How the probes of each device stand. */
    const standing = signal(/** @type {ReadonlyMap<string, readonly Standing[]>} */ (new Map()));
    /** @type {Map<string, number>} */
    const lookedAt = new Map();
    let owner = store.account.value?.createdAt;

    /** @param {string} device @param {number} now */
    async function readStanding(device, now) {
        const mine = owner;
        try {
            const { data } = await api.get(`/devices/${encodeURIComponent(device)}/calibrations`);
            if (mine === owner) standing.value = new Map(standing.value).set(device, data);
        } catch {
            // Nothing that is shown waits for it.
            if (mine === owner) lookedAt.set(device, now - lifetime + pause);
        }
    }

    /** @param {string} device @param {string} parameter */
    const pathOf = (device, parameter) => `/devices/${encodeURIComponent(device)}/parameters/${encodeURIComponent(parameter)}/calibrations`;

    /** @param {string} key @param {Log} log */
    function take(key, log) {
        known.value = new Map(known.value).set(key, log);
    }

    const shown = computed([known, outbox.waiting], () =>
        new Map([...known.value].map(([key, log]) => {
            const [device, parameter] = key.split(" ");
            return [key, laidOver(log, device, parameter, outbox.waiting.value)];
        })));

    // What the service has taken stays as it is shown until it is asked again.
    outbox.onAnswer((row, { data }) => {
        const told = aboutOf(row);
        if (!told) return;
        const about = told.calibration === "entry" && data?.id === told.entry.id ? { ...told, entry: data } : told;
        const key = `${about.device} ${about.parameter}`;
        const log = known.value.get(key);
        if (log) take(key, laidOver(log, about.device, about.parameter, [{ about }]));
    });
    store.account.subscribe(() => {
        if (store.account.value?.createdAt === owner) return;
        owner = store.account.value?.createdAt;
        known.value = new Map();
        standing.value = new Map();
        lookedAt.clear();
    });
    store.journalNews.subscribe(() => lookedAt.clear());

    /**
     * @param {Omit<Parameters<typeof outbox.add>[0], 'method'> & {method: 'PUT' | 'DELETE'}} deed
     */
    async function add(deed) {
        try {
            await outbox.add(deed);
        } catch (error) {
            throw new NotKept(error instanceof OutboxFull);
        }
    }

    return {
        /** The logs by device and parameter, with what waits. */
        shown,
        news: store.journalNews,
        standing,

        /**
         * Reads how the probes of a device stand, unless that was done a moment ago.
         * @param {string} device
         * @param {number} now
         */
        look(device, now) {
            if (now - (lookedAt.get(device) ?? -Infinity) < lifetime) return;
            lookedAt.set(device, now);
            void readStanding(device, now);
        },

        waiting: outbox.waiting,
        /** Sends once more what the service has refused. */
        retry: outbox.retry,
        /** Gives up what the service has refused. */
        giveUp: outbox.remove,

        /** @param {string} device @param {string} parameter */
        logOf: (device, parameter) => shown.value.get(`${device} ${parameter}`) ?? null,

        /**
         * Reads a log; without an answer, what is kept here.
         * @param {string} device
         * @param {string} parameter
         */
        async read(device, parameter) {
            const mine = owner;
            const [key, part] = [`${device} ${parameter}`, `calibration ${device} ${parameter}`];
            try {
                const { data } = await api.get(pathOf(device, parameter));
                if (mine !== owner) return;
                take(key, data);
                store.keep(part, data);
            } catch (error) {
                const kept = known.value.get(key) ?? await store.kept(part);
                if (mine !== owner) return;
                if (!kept) throw error;
                take(key, kept);
            }
        },

        /**
         * Writes an entry, or changes the one that has its id; resolves once that is kept for good.
         * @param {string} device
         * @param {string} parameter
         * @param {Entry} entry With the version that is changed.
         */
        async write(device, parameter, entry) {
            const { id, kind, at, unit, points, temperature, note, version } = entry;
            const told = known.value.get(`${device} ${parameter}`)?.items.find((one) => one.id === id);
            const ifMatch = versionTag(Math.max(version ?? 0, told?.version ?? 0));
            /** What is not known is left out. @type {Record<string, unknown>} */
            const body = {
                kind,
                at,
                unit,
                points: points.map((point) => Object.fromEntries(Object.entries(point).filter(([, value]) => value !== null))),
                ...temperature === null ? {} : { temperature },
                ...note === null ? {} : { note },
            };
            /** @type {import("../water/calibration.js").About} */
            const about = { calibration: "entry", device, parameter, entry: { ...entry, version: undefined } };
            await add({ id, method: "PUT", path: `${pathOf(device, parameter)}/${id}`, body, ifMatch, subject: `calibration ${id}`, about });
        },

        /**
         * Takes an entry away.
         * @param {string} device
         * @param {string} parameter
         * @param {string} id
         */
        async remove(device, parameter, id) {
            const about = { calibration: "gone", device, parameter, id };
            await add({ id: `${id} gone`, method: "DELETE", path: `${pathOf(device, parameter)}/${id}`, subject: `calibration ${id}`, about });
        },
    };
}
