/** Notifications that are answered by a press: what they offer, and what becomes of the press. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";

const text = await Deno.readTextFile(new URL("../../Services/Gateway/Web/sw.js", import.meta.url));

/**
 * The service worker in a world of its own.
 * @param {object} [world]
 * @param {number} [world.room] How many actions the browser shows.
 * @param {() => Promise<any>} [world.answer] Of the service.
 * @param {boolean} [world.isOpen] Whether a window of the app is open.
 * @param {boolean} [world.mayOpen] Whether one may be opened.
 */
function start({ room = 2, answer = () => Promise.resolve({ said: "You are on it." }), isOpen = true, mayOpen = true } = {}) {
    /** @type {Map<string, (event: any) => void>} */
    const listeners = new Map();
    /** @type {any[]} */
    const shown = [];
    /** @type {any[]} */
    const asked = [];
    /** @type {any[]} */
    const heard = [];
    /** @type {string[]} */
    const opened = [];
    const client = {
        visibilityState: "visible",
        postMessage: (/** @type {any} */ message) => heard.push(message),
        focus: () => Promise.resolve(),
    };
    const self = {
        location: new URL("https://water.example/sw.js"),
        Notification: { maxActions: room },
        registration: {
            showNotification: (/** @type {string} */ title, /** @type {any} */ options) => Promise.resolve(shown.push({ title, ...options })),
            getNotifications: () => Promise.resolve([]),
        },
        clients: {
            matchAll: () => Promise.resolve(isOpen ? [client] : []),
            openWindow: (/** @type {string} */ path) => mayOpen ? Promise.resolve(opened.push(path)) : Promise.reject(new Error("not allowed")),
        },
        addEventListener: (/** @type {string} */ type, /** @type {(event: any) => void} */ listener) => listeners.set(type, listener),
    };
    const fetch = async (/** @type {string} */ address, /** @type {any} */ init) => {
        asked.push([address, init]);
        const data = await answer();
        return typeof data === "number" ? { ok: false, status: data } : { ok: true, json: () => Promise.resolve(data) };
    };
    new Function("self", "fetch", "BUILD", text)(self, fetch, { version: "1", files: ["/"], name: "AquaMonitor", icon: "/icons/icon-192.png", badge: "/icons/badge-96.png" });
    /** @param {string} type @param {any} event */
    const happen = async (type, event) => {
        /** @type {Promise<unknown>[]} */
        const waits = [];
        listeners.get(type)?.({ ...event, waitUntil: (/** @type {Promise<unknown>} */ one) => waits.push(one) });
        await Promise.all(waits);
    };
    let closed = 0;
    return {
        shown,
        asked,
        heard,
        opened,
        closed: () => closed,
        push: (/** @type {any} */ notification) => happen("push", { data: { json: () => ({ web_push: 8030, notification }) } }),
        press: (/** @type {string} */ action, /** @type {any} */ notification) =>
            happen("notificationclick", { action, notification: { ...notification, close: () => closed += 1 } }),
    };
}

const actions = [
    { action: "onIt", title: "I'm on it", navigate: "https://water.example/answer#t" },
    { action: "snooze", title: "Snooze 1 h", navigate: "https://water.example/answer#t" },
];
const alarm = {
    ...{ title: "Koi pond: oxygen is low", body: "6.7 ppm", lang: "en", dir: "ltr", tag: "koi ox", navigate: "https://water.example/alerts/1" },
    ...{ data: { alert: "1", purpose: "alarm", answer: "aqa_1" }, actions },
};
/** As it stands when it is pressed. */
const standing = { ...alarm, data: { ...alarm.data, path: "/alerts/1" } };

Deno.test("a notification offers what the browser has room for, without addresses", async () => {
    for (const [room, expected] of /** @type {const} */ ([[0, []], [1, ["onIt"]], [2, ["onIt", "snooze"]], [3, ["onIt", "snooze"]]])) {
        const worker = start({ room });
        await worker.push(alarm);
        same(worker.shown[0].actions.map((/** @type {any} */ { action }) => action), expected);
        for (const one of worker.shown[0].actions) same(Object.keys(one), ["action", "title"]);
        equal(worker.shown[0].data.answer, "aqa_1");
    }
    const { push, shown } = start();
    // An all-clear, what cannot be answered, and what only a newer service knows.
    for (const other of [{ actions: undefined }, { data: { alert: "1" } }, { actions: [{ action: "call", title: "Call" }] }, { actions: "onIt" }]) {
        await push({ ...alarm, ...other });
        same(shown.at(-1).actions, []);
    }
});

for (const action of ["onIt", "snooze"]) {
    Deno.test(`${action}: a press answers without the session, says how it is now in its place, and tells the windows`, async () => {
        const { press, asked, shown, heard, opened } = start();
        await press(action, standing);
        const [[address, { method, body, credentials, headers }]] = asked;
        same([address, method, JSON.parse(body), credentials], ["/api/v1/answers", "POST", { token: "aqa_1", answer: action }, "omit"]);
        equal("Authorization" in headers, false);
        const [{ title, body: said, tag, silent, renotify, actions: left, data }] = shown;
        same([title, said, tag, silent, renotify, left], [alarm.title, "You are on it.", alarm.tag, true, undefined, undefined]);
        // It leads where the alert led, and answers no more.
        same(data, { alert: "1", purpose: "alarm", path: "/alerts/1" });
        same([heard, opened], [[{ pushed: data }], []]);
    });
}

Deno.test("what fails is answered on the page of the same secret", async () => {
    for (const answer of [() => Promise.resolve(503), () => Promise.resolve(410), () => Promise.reject(new TypeError("no connection"))]) {
        const closed = start({ answer, isOpen: false });
        await closed.press("onIt", standing);
        same([closed.shown, closed.opened, closed.closed()], [[], ["/answer#aqa_1"], 1]);
        // Where no window may be opened any more the alert stays, and a press on it leads there.
        const late = start({ answer, isOpen: false, mayOpen: false });
        await late.press("onIt", standing);
        const [{ title, tag, silent, data }] = late.shown;
        same([title, tag, silent, data.path, late.closed()], [alarm.title, alarm.tag, true, "/answer#aqa_1", 0]);
        const open = start({ answer });
        await open.press("snooze", standing);
        same([open.shown, open.heard, open.opened], [[], [{ navigate: "/answer#aqa_1" }], []]);
    }
});

Deno.test("what is to be done is answered by its own route, and what fails of that on its own page", async () => {
    const care = { ...standing, data: { alert: "1", purpose: "note", answer: "aqn_1", answers: "/care-answers", path: "/care" } };
    for (const action of ["done", "tomorrow"]) {
        const { press, asked } = start({ answer: () => Promise.resolve({ said: "Done" }) });
        await press(action, care);
        const [[address, { body }]] = asked;
        same([address, JSON.parse(body)], ["/api/v1/care-answers", { token: "aqn_1", answer: action }]);
    }
    const closed = start({ answer: () => Promise.resolve(410), isOpen: false });
    await closed.press("done", care);
    same([closed.shown, closed.opened, closed.closed()], [[], ["/care/answer#aqn_1"], 1]);
});

Deno.test("a plain press leads to the alert as before, and so does one that nobody knows", async () => {
    for (const [action, notification] of /** @type {[string, any][]} */ ([["", standing], ["call", standing], ["onIt", { ...standing, data: { path: "/alerts/1" } }]])) {
        const { press, asked, heard, closed } = start();
        await press(action, notification);
        same([asked, heard, closed()], [[], [{ navigate: "/alerts/1" }], 1]);
    }
});

Deno.test("a call waits on the screen for somebody and is answered as an alarm is; that it is called off does not wait", async () => {
    const worker = start();
    await worker.push({ ...alarm, data: { ...alarm.data, purpose: "escalation" } });
    await worker.push({ ...alarm, actions: undefined, data: { alert: "2", purpose: "calledOff" } });
    await worker.push({ ...alarm, data: { ...alarm.data, purpose: "reminder" } });
    same(worker.shown.map(({ requireInteraction, actions: { length } }) => [requireInteraction, length]), [[true, 2], [false, 0], [false, 2]]);
    await worker.press("onIt", { ...standing, data: { ...standing.data, purpose: "escalation" } });
    same(JSON.parse(worker.asked[0][1].body), { token: "aqa_1", answer: "onIt" });
    equal(worker.shown.at(-1).body, "You are on it.");
});

Deno.test("a message that has arrived is told to the service, one without a receipt is only shown", async () => {
    const worker = start({ answer: () => Promise.resolve(204) });
    await worker.push({ ...alarm, data: { ...alarm.data, receipt: "5-1-7-ab" } });
    await worker.push(alarm);
    equal(worker.shown.length, 2, "also where the service does not answer");
    same(worker.asked.map(([address, { body }]) => [address, body]), [["/api/v1/receipts", '{"token":"5-1-7-ab"}']]);
});
