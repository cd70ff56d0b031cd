/**
 * Deeds of a person, kept on this device until the service has answered them: at once, or when there is a connection again. A deed that is
 * sent twice counts once, since the person's app chooses the ids.
 */

import { signal } from "../page/signals.js";
import { isProblem } from "../words/problem.js";
import { actingAs, isForProject } from "./acting.js";
import { createCoalesced } from "./coalesced.js";
import { afterAnswer, effectOf, judged, nextRow, withDependents } from "./outbox-order.js";
import { createOutboxRows } from "./outbox-rows.js";

/** @typedef {import("./outbox-order.js").Deed} Deed */
/** @typedef {import("./outbox-order.js").Row} Row */
/** @typedef {Row & {state: import("./outbox-order.js").RowState}} Waiting */
/** @typedef {ReturnType<typeof createOutbox>} Outbox */
/** @typedef {(row: Row, answer: {data: any, tag: string | null}) => void} Listener */

/** Held while rows are sent, so that of several windows one at a time does it. */
const lock = "aqua-outbox";
/** So many rows of one person are kept, with so many bytes of photos. */
const most = 500;
const mostBytes = 64_000_000;
/** Between two attempts, in milliseconds. */
const leastPause = 2_000;
const mostPause = 60_000;

/** There is no room for another row. */
export class OutboxFull extends Error {}

/** @type {WeakMap<object, Outbox>} */
const outboxes = new WeakMap();

/**
 * The outbox that all screens share. It begins to send when it is first asked for.
 * @param {{api: import("./api.js").API, store: import("./store.js").Store}} context
 * @returns {Outbox}
 */
export function outboxOf({ api, store }) {
    let outbox = outboxes.get(store);
    if (!outbox) {
        outbox = createOutbox({ api, account: store.account, isReady: store.accountKept, project: projectNow, rows: createOutboxRows() });
        outboxes.set(store, outbox);
        follow(outbox, store);
    }
    return outbox;
}

/**
 * The project as which a deed is done now, whichever window sends it later.
 * @param {string} method
 * @param {string} path
 */
const projectNow = (method, path) => isForProject(method, path) ? actingAs()?.id ?? null : null;

/**
 * Sends what waits whenever there is hope.
 * @param {Outbox} outbox
 * @param {import("./store.js").Store} store
 */
function follow(outbox, { account, connection }) {
    addEventListener("online", () => void outbox.send());
    document.addEventListener("visibilitychange", () => document.hidden || void outbox.read());
    account.subscribe(() => void outbox.read());
    connection.subscribe(() => connection.value.state === "live" && void outbox.send());
    void outbox.read();
}

/**
 * @param {object} parts
 * @param {Pick<import("./api.js").API, 'put' | 'post' | 'delete'>} parts.api
 * @param {import("../page/signals.js").Readable<{createdAt: string} | null>} parts.account Whose deeds are sent and shown.
 * @param {import("./outbox-rows.js").OutboxRows} parts.rows
 * @param {() => Promise<unknown>} [parts.isReady] Resolves once whose deeds they are is kept: a row of somebody unknown is shown to nobody.
 * @param {(method: string, path: string) => string | null} [parts.project] As which project something is done; null: as the person.
 * @param {(run: () => void, pause: number) => unknown} [parts.later]
 * @param {() => number} [parts.now]
 */
export function createOutbox({ api, account, rows, isReady = () => Promise.resolve(), project = () => null, later = setTimeout, now = Date.now }) {
    const waiting = signal(/** @type {readonly Waiting[]} */ ([]));
    /** @type {readonly Row[]} */
    let known = [];
    /** @type {number | null} */
    let underway = null;
    /** Changes of the rows, one after the other. @type {Promise<unknown>} */
    let turn = Promise.resolve();
    /** @type {Set<Listener>} */
    const listeners = new Set();
    /** By path, which version the answer to a change of which version brought. @type {Map<string, Map<string | undefined, string>>} */
    const brought = new Map();
    /** The rows that the service asked to send later, by their numbers. @type {Map<number, {from: number, until: number}>} */
    const resting = new Map();
    let pause = leastPause;
    /** When the next attempt is. */
    let nextAt = Infinity;
    let controller = new AbortController();
    let owner = ownerOf();
    const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel(lock) : null;
    if (channel) channel.onmessage = () => void inTurn(load);
    account.subscribe(() => {
        if (ownerOf() === owner) return;
        // The deeds of one person are never sent in the name of the next.
        controller.abort();
        controller = new AbortController();
        owner = ownerOf();
        brought.clear();
        show();
    });

    /** By what an account is known for as long as it lasts, whatever its address; null while nobody is signed in. */
    function ownerOf() {
        return account.value?.createdAt ?? null;
    }

    const mine = () => known.filter((row) => row.account === ownerOf());

    function show() {
        waiting.value = mine().map((row) => ({
            ...row,
            state: row.refusal ? "refused" : row.seq === underway ? "sending" : "waiting",
        }));
    }

    async function load() {
        known = await rows.all().catch(() => known);
        show();
    }

    /**
     * @template T
     * @param {() => Promise<T>} run
     * @returns {Promise<T>}
     */
    function inTurn(run) {
        const result = turn.then(run);
        turn = result.catch(() => {});
        return result;
    }

    /**
     * @param {Omit<Row, 'seq'> & {seq?: number} | null} row
     * @param {readonly Row[]} gone
     */
    async function write(row, gone) {
        const left = new Set(gone.map(({ seq }) => seq));
        const seq = await rows.write(row, [...left]);
        const others = known.filter((one) => one.seq !== seq && !left.has(one.seq));
        known = row && seq !== null ? [...others, { ...row, seq }].sort((one, other) => one.seq - other.seq) : others;
        show();
        channel?.postMessage(null);
    }

    /** @param {readonly unknown[]} bodies */
    const bytesOf = (bodies) => bodies.reduce((/** @type {number} */ sum, body) => sum + (body instanceof ArrayBuffer ? body.byteLength : 0), 0);

    /**
     * @param {Row} row
     * @param {AbortSignal} signal
     */
    function request({ method, path, body, type, ifMatch, stamp, project = null }, signal) {
        const asked = { type, ifMatch, signal, project };
        if (method === "DELETE") return api.delete(path, asked);
        const sent = stamp ? { .../** @type {object} */ (body), [stamp]: new Date(now()).toISOString() } : body;
        return method === "PUT" ? api.put(path, sent, asked) : api.post(path, sent ?? {}, asked);
    }

    /** @returns {Promise<boolean>} Whether there is another row to try in this round. */
    async function sendNext(/** @type {Set<number>} */ passed) {
        const { signal } = controller;
        const row = await inTurn(async () => {
            const next = nextRow(mine(), passed);
            // Whether the service has heard of it is not known from now on.
            if (next && !next.isTried) await write({ ...next, isTried: true }, []);
            return next;
        });
        if (!row || signal.aborted) return false;
        passed.add(row.seq);
        resting.delete(row.seq);
        underway = row.seq;
        show();
        try {
            const answer = await request(row, signal);
            if (signal.aborted) return false;
            await answered(row, answer);
        } catch (error) {
            if (signal.aborted) return false;
            return await failed(row, error);
        } finally {
            underway = null;
            show();
        }
        return true;
    }

    /**
     * @param {Row} row
     * @param {{data: any, tag: string | null}} answer
     */
    async function answered(row, answer) {
        pause = leastPause;
        note(row, answer.tag);
        for (const listener of [...listeners]) {
            try {
                listener(row, answer);
            } catch (error) {
                // The service has done it, whatever becomes of what is shown.
                console.error(error);
            }
        }
        await inTurn(async () => {
            await rows.leave(row, answer.tag);
            known = afterAnswer(known, row, answer.tag);
            show();
            channel?.postMessage(null);
        });
    }

    /**
     * @param {Row} row
     * @param {string | null} tag
     */
    function note({ method, path, ifMatch }, tag) {
        if (method !== "PUT" || tag === null || tag === ifMatch) return;
        brought.set(path, (brought.get(path) ?? new Map()).set(ifMatch, tag));
    }

    /**
     * The version that a deed changes: whoever knew the one before the person's own last change, as a form that was open meanwhile, changes
     * what that has made.
     * @param {Deed} deed
     */
    function followed({ method, path, ifMatch }) {
        if (method === "DELETE") brought.delete(path);
        const versions = brought.get(path);
        let tag = ifMatch;
        while (versions?.has(tag)) tag = versions.get(tag);
        return tag;
    }

    /**
     * @param {Row} row
     * @param {unknown} error
     */
    async function failed(row, error) {
        const end = judged(row, error, now());
        if (end === "done") await answered(row, { data: null, tag: null });
        else if (end === "refused" && isProblem(error)) {
            const { status, code, title, detail } = error;
            await inTurn(async () => {
                const still = mine().find(({ seq }) => seq === row.seq);
                if (still) await write({ ...still, refusal: { status, code, title, detail } }, []);
            });
        } else {
            if (end === "later" && isProblem(error)) await noteFailing(row, error);
            if (!resting.has(row.seq)) tryAgain(pause);
            pause = Math.min(2 * pause, mostPause);
        }
        return end !== "stop";
    }

    /**
     * Notes since when the service cannot take a row, and for how long it asked to wait.
     * @param {Row} row
     * @param {import("../words/problem.js").Problem} problem
     */
    async function noteFailing({ seq }, { retryAfter }) {
        if (retryAfter) resting.set(seq, { from: now(), until: now() + Math.max(pause, retryAfter * 1_000) });
        await inTurn(async () => {
            const still = mine().find((one) => one.seq === seq);
            if (still && still.failingSince === undefined) await write({ ...still, failingSince: now() }, []);
        });
    }

    /**
     * Tries again after a pause, unless that is done sooner.
     * @param {number} wait
     */
    function tryAgain(wait) {
        const at = now() + wait;
        if (at >= nextAt) return;
        nextAt = at;
        later(() => {
            if (nextAt === at) nextAt = Infinity;
            void send();
        }, wait);
    }

    /** The rows that rest, each with how long still. */
    function rest() {
        const at = now();
        return mine().flatMap(({ seq }) => {
            const { from, until } = resting.get(seq) ?? { from: at, until: at };
            // A clock that was put back prolongs nothing.
            return from <= at && at < until ? [{ seq, left: until - at }] : [];
        });
    }

    const sending = createCoalesced(async () => {
        if (ownerOf() === null) return;
        const run = async () => {
            await inTurn(load);
            const passed = new Set(rest().map(({ seq }) => seq));
            while (await sendNext(passed));
            for (const { left } of rest()) tryAgain(left);
        };
        // Without HTTPS there are no locks; the service counts what comes twice once.
        await (navigator.locks ? navigator.locks.request(lock, run) : run());
    });

    /** Sends what waits, as far as it can be sent. */
    async function send() {
        if (mine().some(({ refusal }) => refusal === null)) await sending.ask();
    }

    return {
        /** The deeds that were not answered yet, in the order of making. */
        waiting,

        send,

        /** Resolves once the rows that were left here are known. */
        known: () => inTurn(load),

        /** Finds what was left when the app was last open, and sends it. */
        async read() {
            await inTurn(load);
            await send();
        },

        /**
         * Keeps a deed, and sends it when it can be sent; resolves once it is kept for good.
         * @param {Deed} deed
         */
        async add(deed) {
            const whose = ownerOf();
            if (whose === null) throw new Error("nobody is signed in");
            await inTurn(async () => {
                await isReady();
                const { gone, instead, isSent } = effectOf(mine(), deed);
                const isOver = mine().length - gone.length >= most || bytesOf([deed, ...mine()].map(({ body }) => body)) > mostBytes;
                if (isSent && !instead && isOver) throw new OutboxFull();
                if (!isSent) return await write(null, gone);
                const ifMatch = followed(deed) ?? instead?.ifMatch;
                const as = project(deed.method, deed.path);
                const row = { ...deed, ifMatch, account: whose, project: as, at: Date.now(), isTried: instead?.isTried ?? false, refusal: null };
                const kept = instead ? { ...row, seq: instead.seq } : row;
                await write(kept, gone);
            });
            void send();
        },

        /**
         * Sends a refused row once more.
         * @param {Pick<Row, 'seq'>} row
         */
        async retry({ seq }) {
            await inTurn(async () => {
                const row = mine().find((one) => one.seq === seq);
                if (row) await write({ ...row, failingSince: undefined, refusal: null }, []);
            });
            await send();
        },

        /**
         * Gives a row up, with all that waits for it.
         * @param {Pick<Row, 'seq'>} row
         */
        remove: ({ seq }) =>
            inTurn(async () => {
                const row = mine().find((one) => one.seq === seq);
                if (row) await write(null, withDependents(mine(), row));
            }),

        /**
         * Gives all rows of a person up.
         * @param {string | null} [whose]
         */
        clear: (whose = ownerOf()) => inTurn(() => write(null, known.filter((row) => row.account === whose))),

        /**
         * Tells of every answer, before its row leaves.
         * @param {Listener} listener
         * @returns {() => void} What ends it.
         */
        onAnswer(listener) {
            listeners.add(listener);
            return () => listeners.delete(listener);
        },
    };
}
