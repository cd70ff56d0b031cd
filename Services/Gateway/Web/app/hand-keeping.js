/**
 * Tests by hand that this device keeps: what a person writes waits here until the service has answered, and what is known of each tank is
 * read at leisure, with what waits laid over it.
 */

import { NotKept } from "../components/journal-list/model.js";
import { computed, signal } from "../page/signals.js";
import { aboutOf, keptOf, laidOver } from "../water/hand-tests.js";
import { isCutOff } from "../water/headline.js";
import { Problem } from "../words/problem.js";
import { createHandTests } from "./hand-tests.js";
import { OutboxFull, outboxOf } from "./outbox.js";

/** @typedef {import("../water/hand-tests.js").Test} Test */
/** @typedef {import("../water/hand-tests.js").Kept} Kept */
/** @typedef {import("./hand-tests.js").Deed} Deed */
/** @template T @typedef {import("../page/signals.js").Readable<T>} Readable */
/** @typedef {import("../water/headline.js").Connection} Connection */
/** @typedef {{account: Readable<{createdAt: string} | null>, connection: Readable<Connection>, journalNews: Readable<number>}} Surroundings */
/** @typedef {ReturnType<typeof createHandKeeping>} HandKeeping */

/** So long an answer is waited for before the person is told that it will come, in milliseconds. */
const patience = 8_000;
/** So many of the newest tests of a tank are at hand. */
const most = 100;
/** What was read so long ago is read again when somebody looks. */
const lifetime = 300_000;

/** @type {WeakMap<object, HandKeeping>} */
const keepings = new WeakMap();

/**
 * What all screens of one person share.
 * @param {Pick<import("./context.js").Context, 'api' | 'store'>} context
 * @returns {HandKeeping}
 */
export function handKeepingOf(context) {
    let keeping = keepings.get(context.store);
    if (!keeping) {
        keeping = createHandKeeping({ ...context, outbox: outboxOf(context) });
        keepings.set(context.store, keeping);
    }
    return keeping;
}

/**
 * Keeps a deed and waits for what the service says of it; null where that will come later.
 * @param {Pick<import("./outbox.js").Outbox, 'add' | 'waiting' | 'onAnswer'>} outbox
 * @param {Readable<Connection>} connection
 * @param {Deed} deed
 * @returns {Promise<any>}
 */
export async function delivered(outbox, connection, deed) {
    const { promise, resolve, reject } = Promise.withResolvers();
    const ends = [outbox.onAnswer(({ path }, { data }) => path === deed.path && resolve(data))];
    try {
        await outbox.add(deed);
        const look = () => {
            const row = outbox.waiting.value.find(({ path }) => path === deed.path);
            if (row?.refusal) reject(new Problem(row.refusal.status, { ...row.refusal }, null));
            // A row that has gone without an answer was sent by another window.
            else if (!row || isCutOff(connection.value)) resolve(null);
        };
        ends.push(outbox.waiting.subscribe(look), connection.subscribe(look));
        const timer = setTimeout(resolve, patience, null);
        ends.push(() => clearTimeout(timer));
        look();
        return await promise;
    } finally {
        for (const end of ends) end();
    }
}

/**
 * @param {object} parts
 * @param {Pick<import("./api.js").API, 'get'>} parts.api
 * @param {import("./hand-tests.js").Keeping & Surroundings} parts.store
 * @param {Pick<import("./outbox.js").Outbox, 'add' | 'waiting' | 'onAnswer' | 'retry' | 'remove'>} parts.outbox
 */
export function createHandKeeping({ api, store, outbox }) {
    const { account, connection, journalNews, keep, kept } = store;
    const tests = createHandTests({ api, store }, (deed) => delivered(outbox, connection, deed));
    const told = signal(/** @type {ReadonlyMap<string, readonly Test[]>} */ (new Map()));
    /** When each tank's tests were read. @type {Map<string, number>} */
    const readAt = new Map();
    let owner = account.value?.createdAt;

    const waiting = computed([outbox.waiting, connection], () => keptOf(outbox.waiting.value, isCutOff(connection.value)));
    const shown = computed([told, waiting], () => {
        const devices = new Set([...told.value.keys(), ...waiting.value.map(({ device }) => device)]);
        return new Map([...devices].map((device) => [device, laidOver(told.value.get(device) ?? [], keptFor(device))]));
    });

    /** @param {string} device */
    const keptFor = (device) => waiting.value.filter((one) => one.device === device);

    /** @param {string} device @param {readonly Test[]} items */
    function take(device, items) {
        told.value = new Map(told.value).set(device, items);
    }

    /** @param {string} device */
    async function load(device) {
        const mine = owner;
        const part = `hand-tests ${device}`;
        try {
            const { data } = await api.get(`/devices/${encodeURIComponent(device)}/tests`, { query: { limit: most } });
            if (mine !== owner) return;
            take(device, data.items);
            keep(part, data.items);
        } catch {
            // Nothing that is shown waits for it: what was read before stands, and it is asked for again.
            readAt.delete(device);
            const had = told.value.get(device) ?? await kept(part);
            if (mine === owner && had) take(device, had);
        }
    }

    outbox.onAnswer((row, { data }) => {
        const about = aboutOf(row);
        if (!about) return;
        const { device, test } = about;
        // Until the service is asked again, what it has taken stays as it is shown.
        const others = (told.value.get(device) ?? []).filter(({ id }) => id !== test.id);
        take(device, laidOver([...others, data?.values ? data : test], []));
    });
    journalNews.subscribe(() => readAt.clear());
    account.subscribe(() => {
        if (account.value?.createdAt === owner) return;
        owner = account.value?.createdAt;
        readAt.clear();
        told.value = new Map();
    });

    return {
        ...tests,

        /** What waits of all tanks. */
        waiting,

        /** What waits of one tank and was not refused, newest first. @param {string} device */
        unsentOf: (device) => laidOver([], keptFor(device)),

        /** The tests of each tank, newest first. */
        shown,

        /**
         * Reads the tests of a tank, unless that was done a moment ago.
         * @param {string} device
         * @param {number} now
         */
        look(device, now) {
            if (isCutOff(connection.value) && told.value.has(device) || now - (readAt.get(device) ?? -Infinity) < lifetime) return;
            readAt.set(device, now);
            void load(device);
        },

        /**
         * Writes a test down; resolves once that is kept for good.
         * @param {string} device
         * @param {string} id
         * @param {import("./hand-tests.js").NewTest} test
         * @param {readonly import("../water/by-hand.js").HandValue[]} values As they are shown until the service has answered.
         * @returns {Promise<import("./hand-tests.js").WrittenTest | null>} null: it waits here.
         */
        async write(device, id, test, values) {
            try {
                return await tests.write(device, id, test, values);
            } catch (error) {
                if (error instanceof Problem) throw error;
                throw new NotKept(error instanceof OutboxFull);
            }
        },

        /** Sends once more what the service has refused. @param {Kept} kept */
        retry: ({ row }) => outbox.retry(row),

        /** Sends what the service has asked about, as right. @param {Kept} kept */
        confirm: ({ row: { id, method, path, subject, about, body } }) =>
            outbox.add({ id, method, path, subject, about, body: { .../** @type {object} */ (body), confirmed: true } }),

        /** Gives up what waits. @param {Kept} kept */
        giveUp: ({ row }) => outbox.remove(row),
    };
}
