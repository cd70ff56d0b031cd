/** Of several windows of one browser one has the stream; no other misses what it told. */

import { isNews, isOfDevice, openOf } from "../../Services/Gateway/Web/kinds/index.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import { deepStrictEqual as same } from "node:assert/strict";
import { createLive } from "../../Services/Gateway/Web/app/live.js";
import { createStore } from "../../Services/Gateway/Web/app/store.js";

const at = "2026-11-23T10:00:00Z";
const device = { id: "tank", name: "Koi", online: true, silentSince: null, lastReadingAt: null };

/** A lock as browsers have it (Web Locks API): one holder at a time, whose request fails when another steals it, while what it runs goes on. */
function createLocks() {
    /** @typedef {{start: () => void, reject: (error: unknown) => void}} Request */
    /** @type {Request | null} */
    let held = null;
    /** @type {Request[]} */
    let waiting = [];
    function grant() {
        if (held === null) waiting.shift()?.start();
    }
    return {
        /** @param {string} _name @param {{signal?: AbortSignal, steal?: boolean}} options @param {() => Promise<void>} run */
        request(_name, { signal, steal = false }, run) {
            return new Promise((resolve, reject) => {
                const own = {
                    reject,
                    start() {
                        held = own;
                        Promise.resolve().then(run).then(resolve, reject).finally(() => {
                            if (held !== own) return;
                            held = null;
                            grant();
                        });
                    },
                };
                if (signal?.aborted) return reject(signal.reason);
                if (steal) {
                    held?.reject(new DOMException("The lock was stolen.", "AbortError"));
                    return own.start();
                }
                signal?.addEventListener("abort", () => {
                    if (!waiting.includes(own)) return;
                    waiting = waiting.filter((one) => one !== own);
                    reject(signal.reason);
                });
                waiting.push(own);
                grant();
            });
        },
    };
}

/** What all windows of a browser share. */
function browser() {
    /** @type {Set<Channel>} */
    const channels = new Set();
    class Channel {
        /** @type {((message: {data: unknown}) => void) | null} */
        onmessage = null;
        constructor() {
            channels.add(this);
        }
        /** @param {unknown} data */
        postMessage(data) {
            for (const other of channels) if (other !== this) setTimeout(() => channels.has(other) && other.onmessage?.({ data }));
        }
        close() {
            channels.delete(this);
        }
    }
    const original = { BroadcastChannel: globalThis.BroadcastChannel, document: globalThis.document };
    Object.assign(globalThis, { BroadcastChannel: Channel, document: { hidden: false, addEventListener() {}, removeEventListener() {} } });
    Object.defineProperty(navigator, "locks", { value: createLocks(), configurable: true });
    return () => {
        Object.assign(globalThis, original);
        Reflect.deleteProperty(navigator, "locks");
    };
}

/**
 * A window, and what it has read so far.
 * @param {{rows: any[]}} service
 */
function open(service) {
    const encoder = new TextEncoder();
    /** @type {ReadableStreamDefaultController<Uint8Array> | undefined} */
    let stream;
    const asked = { count: 0 };
    /** How many streams this window has. */
    const streams = { count: 0 };
    /** @type {any} */
    const api = {
        get(/** @type {string} */ path) {
            if (path === "/account") asked.count += 1;
            return Promise.resolve({ data: path === "/readings/latest" ? service.rows : path === "/snoozes" ? [] : {}, tag: null });
        },
        all: (/** @type {string} */ path) =>
            Promise.resolve(path === "/devices" ? [device] : [{ device: "tank", tag: '"v1"', parameters: [] }]),
        open(/** @type {string} */ _path, /** @type {{signal: AbortSignal}} */ { signal }) {
            streams.count += 1;
            return Promise.resolve(new Response(new ReadableStream({
                start(controller) {
                    stream = controller;
                    signal.addEventListener("abort", () => {
                        streams.count -= 1;
                        controller.error(signal.reason);
                    });
                },
            })));
        },
    };
    /** @type {any} */
    const disk = { get: () => Promise.resolve(undefined), set: () => Promise.resolve(undefined), put: () => Promise.resolve(null) };
    const store = createStore({ api, disk, kinds: signal({ openOf, isOfDevice, isNews }) });
    const live = createLive({ api, onEvent: store.apply, onState() {} });
    return {
        store,
        live,
        asked,
        streams,
        side: () => store.latest.value.get("tank")?.get("temperature")?.side,
        /** @param {string} name @param {unknown} data */
        tell: (name, data) => stream?.enqueue(encoder.encode(`event: ${name}\nid: 7\ndata: ${JSON.stringify(data)}\n\n`)),
        hasStream: () => stream !== undefined,
    };
}

/** Enough for what is not to happen; what is to happen is waited for (`soon`). */
const settled = () => new Promise((resolve) => setTimeout(resolve, 30));

/**
 * Waits until something is as it is expected, which takes as long as the machine needs.
 * @template Value
 * @param {() => Value} actual
 * @param {Value} expected
 * @param {string} [message]
 */
async function soon(actual, expected, message) {
    for (const end = Date.now() + 20_000; Date.now() < end && JSON.stringify(actual()) !== JSON.stringify(expected);) {
        await settled();
    }
    same(actual(), expected, message);
}

Deno.test("an alarm that begins between a window's first answers and its listening is not missed, though another has the stream", async () => {
    const close = browser();
    const row = { device: "tank", parameter: "temperature", time: at, canonicalValue: 21, state: "within", since: null };
    const service = { rows: /** @type {any[]} */ ([row]) };
    const [leader, follower, third] = [open(service), open(service), open(service)];
    try {
        leader.live.start();
        await leader.store.refresh();
        await soon(() => leader.hasStream(), true);
        leader.tell("ready", {});
        await settled();
        // What the second window asked for early.
        await follower.store.refresh();
        service.rows = [{ ...row, state: "high", since: at }];
        leader.tell("episode", { device: "tank", parameter: "temperature", state: "open", side: "high", since: at });
        await settled();
        await soon(() => [leader.side(), follower.side()], ["high", null]);
        const before = leader.asked.count;
        follower.live.start();
        await settled();
        await soon(() => [follower.hasStream(), follower.side(), follower.asked.count], [false, "high", 2]);
        // It is read once: not when a third window asks, nor by the one that has the stream.
        third.live.start();
        await settled();
        await soon(() => [third.asked.count, follower.asked.count, leader.asked.count - before], [1, 2, 0]);
        // A stream that begins anew says so itself, to all.
        leader.tell("ready", {});
        await settled();
        await soon(() => [third.asked.count, follower.asked.count, leader.asked.count - before], [2, 3, 1]);
        // Whoever has stopped and starts again has missed what was told meanwhile.
        follower.live.stop();
        follower.live.start();
        await settled();
        await soon(() => follower.asked.count, 4);
    } finally {
        for (const { live } of [third, follower, leader]) live.stop();
        await settled();
        close();
    }
});

Deno.test("that readings come late is known in every window, whoever has the stream and whenever it was told", async () => {
    const close = browser();
    const [leader, follower] = [open({ rows: [] }), open({ rows: [] })];
    const late = (/** @type {{store: import("../../Services/Gateway/Web/app/store.js").Store}} */ { store }) => store.connection.value.lateSince ?? null;
    try {
        leader.live.start();
        await soon(() => leader.hasStream(), true);
        leader.tell("intake", { lateSince: null });
        leader.tell("ready", {});
        await settled();
        await soon(() => late(leader), null);
        leader.tell("intake", { lateSince: at });
        await settled();
        await soon(() => late(leader), Date.parse(at));
        follower.live.start();
        await settled();
        await soon(() => late(follower), Date.parse(at), "a window that came later");
        follower.store.setConnection("live");
        same(late(follower), Date.parse(at), "and it outlasts a change of the connection");
        leader.tell("intake", { lateSince: null });
        await settled();
        await soon(() => [late(leader), late(follower)], [null, null]);
    } finally {
        leader.live.stop();
        follower.live.stop();
        close();
    }
});

Deno.test("whose lock is stolen has no stream any more, and leads again when the thief is gone", async () => {
    const close = browser();
    const window = open({ rows: [{ device: "tank", parameter: "temperature", time: at, canonicalValue: 21, state: "within", since: null }] });
    /** @type {() => void} */
    let leave = () => {};
    try {
        window.live.start();
        await soon(() => window.hasStream(), true);
        window.tell("ready", {});
        await settled();
        await soon(() => [window.streams.count, window.side()], [1, null]);
        const thief = navigator.locks.request("aqua-live", { steal: true }, () => new Promise((end) => leave = () => end(undefined)));
        await settled();
        await soon(() => window.streams.count, 0, "the thief alone reads");
        leave();
        await thief;
        await settled();
        await soon(() => window.streams.count, 1, "one leader again");
        window.live.stop();
        await settled();
        await soon(() => window.streams.count, 0, "whoever signs out hears nothing more");
    } finally {
        window.live.stop();
        leave();
        close();
    }
});

Deno.test("whoever was told of a part alone has not read everything", async () => {
    const close = browser();
    const window = open({ rows: [] });
    /** @type {() => void} */
    let leave = () => {};
    // Another window has the stream.
    const leader = navigator.locks.request("aqua-live", {}, () => new Promise((end) => leave = () => end(undefined)));
    const channel = new BroadcastChannel("aqua-live");
    try {
        await window.store.refresh();
        await soon(() => window.asked.count, 1);
        window.live.start();
        channel.postMessage({ event: { name: "resync", id: "7", data: { parts: ["snoozes"] } } });
        await settled();
        channel.postMessage({ state: "live", position: "7" });
        await soon(() => window.asked.count, 2);
        channel.postMessage({ state: "live", position: "7" });
        await settled();
        same(window.asked.count, 2);
    } finally {
        window.live.stop();
        channel.close();
        leave();
        await leader;
        await settled();
        close();
    }
});
