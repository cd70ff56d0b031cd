/** Notifications of several alerts at once: a line of theirs goes when a later message tells of the same, and the last one takes all along. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";

const text = await Deno.readTextFile(new URL("../../Services/Gateway/Web/sw.js", import.meta.url));

/**
 * The service worker in a world of its own, which keeps what is shown by its tag, as browsers do.
 * @param {object} [world]
 * @param {boolean} [world.fails] Whether what is shown cannot be asked for.
 */
function start({ fails = false } = {}) {
    /** @type {Map<string, (event: any) => void>} */
    const listeners = new Map();
    /** Each time that something was shown. @type {any[]} */
    const shown = [];
    /** What stands now. @type {Map<string, any>} */
    const standing = new Map();
    const registration = {
        showNotification(/** @type {string} */ title, /** @type {any} */ options) {
            const notification = { ...options, title, close: () => standing.delete(options.tag) };
            shown.push(notification);
            standing.set(options.tag, notification);
            return Promise.resolve();
        },
        getNotifications: ({ tag } = /** @type {any} */ ({})) =>
            fails && !tag ? Promise.reject(new Error("not now")) : Promise.resolve([...standing.values()].filter((one) => !tag || one.tag === tag)),
    };
    const self = {
        location: new URL("https://water.example/sw.js"),
        Notification: { maxActions: 2 },
        registration,
        clients: { matchAll: () => Promise.resolve([]) },
        addEventListener: (/** @type {string} */ type, /** @type {(event: any) => void} */ listener) => listeners.set(type, listener),
    };
    const fetch = () => Promise.resolve({ ok: true, json: () => Promise.resolve({ said: "You are on it." }) });
    new Function("self", "fetch", "BUILD", text)(self, fetch, { version: "1", files: ["/"], name: "AquaMonitor", icon: "/icons/icon-192.png", badge: "/icons/badge-96.png" });
    /** @param {string} type @param {any} event */
    const happen = async (type, event) => {
        /** @type {Promise<unknown>[]} */
        const waits = [];
        listeners.get(type)?.({ ...event, waitUntil: (/** @type {Promise<unknown>} */ one) => waits.push(one) });
        await Promise.all(waits);
    };
    return {
        shown,
        standing,
        push: (/** @type {any} */ notification) => happen("push", { data: { json: () => ({ web_push: 8030, notification }) } }),
        press: (/** @type {string} */ action, /** @type {any} */ notification) => happen("notificationclick", { action, notification }),
    };
}

const lines = { oxygen: "Oxygen is low: 4.1 mg/L", ph: "pH is low: 6.5", heat: "Temperature is high: 29 °C" };
const actions = [{ action: "onIt", title: "I'm on it" }, { action: "snooze", title: "Snooze 1 h" }];

/** @param {(keyof typeof lines)[]} names @param {any} [more] */
function group(names, { more = 0, last = [], tag = "group", ...others } = /** @type {any} */ ({})) {
    return {
        title: "Koi pond",
        body: [...names.map((name) => lines[name]), ...last].join("\n"),
        ...{ lang: "en", dir: "ltr", tag, renotify: true, navigate: "https://water.example/alerts", timestamp: 5, actions },
        data: { alert: names[0], alerts: names, purpose: "alarm", answer: "aqa_1", covers: names.map((name) => ({ tag: name, line: lines[name] })), more },
        ...others,
    };
}

/** @param {string} tag */
const single = (tag) => ({ title: "All clear", body: "It is back.", tag, navigate: "https://water.example/alerts/9", data: { alert: `${tag} 9`, purpose: "recovery" } });

Deno.test("a line that a later message tells anew goes, without a sound; the message itself is shown as ever", async () => {
    const { push, shown, standing } = start();
    await push(group(["oxygen", "ph", "heat"]));
    const first = standing.get("group");
    equal(first.renotify, true);
    await push(single("ph"));
    equal(shown.length, 3);
    const again = standing.get("group");
    same([again.title, again.body], ["Koi pond", `${lines.oxygen}\n${lines.heat}`]);
    same([again.tag, again.silent, again.renotify, again.requireInteraction, again.timestamp, again.actions], ["group", true, false, true, 5, first.actions]);
    same(again.data, { ...first.data, covers: [{ tag: "oxygen", line: lines.oxygen }, { tag: "heat", line: lines.heat }] });
    same([standing.get("ph").body, shown.at(-1).tag], ["It is back.", "ph"]);
});

Deno.test("without a line left the notification is closed", async () => {
    const { push, standing } = start();
    await push(group(["oxygen", "ph"]));
    await push(single("ph"));
    await push(single("oxygen"));
    same([...standing.keys()], ["ph", "oxygen"]);
});

Deno.test("the last line says how many more there are, and stays", async () => {
    const { push, standing } = start();
    await push(group(["oxygen", "ph"], { more: 4, last: ["and 4 more"] }));
    await push(single("oxygen"));
    equal(standing.get("group").body, `${lines.ph}\nand 4 more`);
    await push(single("ph"));
    equal(standing.has("group"), false);
});

Deno.test("what covers nothing, or something else, stays as it is", async () => {
    const { push, shown } = start();
    await push(group(["oxygen"]));
    await push({ ...single("koi"), data: { alert: "1", purpose: "alarm" } });
    await push(single("heat"));
    await push({ title: "No tag", body: "" });
    equal(shown.length, 4);
});

Deno.test("a later group takes the lines that it tells out of an earlier one, and its own place for itself", async () => {
    const { push, standing, shown } = start();
    await push(group(["oxygen", "ph", "heat"]));
    await push(group(["oxygen"], { tag: "digest" }));
    same([standing.get("group").body, standing.get("digest").body], [`${lines.ph}\n${lines.heat}`, lines.oxygen]);
    await push(group(["ph"]));
    equal(standing.get("group").renotify, true);
    equal(shown.length, 4);
    // Brought twice it buzzes once.
    await push(group(["ph"]));
    equal(standing.get("group").renotify, false);
});

Deno.test("what was answered goes on saying so, until a later message has told of all of it", async () => {
    const { push, press, standing } = start();
    await push(group(["oxygen", "ph"]));
    await press("onIt", standing.get("group"));
    equal(standing.get("group").body, "You are on it.");
    await push(single("oxygen"));
    same([standing.get("group").body, standing.get("group").data.covers], ["You are on it.", [{ tag: "ph" }]]);
    await push(single("ph"));
    equal(standing.has("group"), false);
});

Deno.test("a browser that does not say what is shown shows the message all the same", async () => {
    const { push, standing } = start({ fails: true });
    await push(group(["oxygen", "ph"]));
    await push(single("ph"));
    same([...standing.keys()], ["group", "ph"]);
});
