/** The screens of ways: what a test came to in honest words, what cannot be read, and rows that are no longer there. */

import { deepStrictEqual as same, match, ok, strictEqual as equal } from "node:assert/strict";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import { mount as mountList } from "../../Services/Gateway/Web/screens/notifications/notifications.js";
import { mount as mountTest } from "../../Services/Gateway/Web/screens/notifications/test/test.js";
import { mount as mountWay } from "../../Services/Gateway/Web/screens/notifications/way/way.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { NoAnswer, Problem } from "../../Services/Gateway/Web/words/problem.js";
import { openPage } from "./page.js";

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const accepted = "2026-11-29T14:02:00.100Z";
const webhook = {
    id: 7,
    channel: "webhook",
    service: null,
    host: "farm-log.example",
    state: "active",
    registeredAt: accepted,
    nothingSince: null,
    lastAcceptedAt: accepted,
    lastFailure: null,
    lastStatus: null,
    formerSecretUntil: null,
    heedsQuietHours: false,
};
const periods = Array.from({ length: 28 }, (_, index) => ({ begin: new Date(Date.parse(accepted) + index * 21_600_000).toISOString(), taken: 0, untaken: 0 }));
const deliveries = { since: periods[0].begin, until: accepted, periods, untaken: [] };
const gone = new Problem(404, { title: "Not there." }, null);

/**
 * A screen with answers by their paths; what is an error is thrown.
 * @param {typeof mountList} mount
 * @param {Record<string, any>} answers
 * @param {Record<string, string>} [params]
 */
async function screen(mount, answers, params = {}) {
    const { make } = openPage();
    // Neither an iPhone nor a browser that takes messages.
    Object.assign(globalThis, { matchMedia: () => ({ matches: false }) });
    const t = await loadWords("en");
    /** @type {any[]} */
    const asked = [];
    /** @type {string[]} */
    const visited = [];
    const answer = (/** @type {string} */ method) => (/** @type {string} */ path, /** @type {any} */ body) => {
        asked.push([method, path, ...method === "get" ? [] : [body]]);
        const found = answers[path];
        return found instanceof Error || found === undefined ? Promise.reject(found ?? gone) : Promise.resolve({ data: structuredClone(found) });
    };
    const context = /** @type {any} */ ({
        t,
        api: { get: answer("get"), post: answer("post"), delete: answer("delete"), patch: answer("patch") },
        store: { settings: signal({ throttleSeconds: null }), parameterOf: () => undefined },
        format: createFormat("en", "UTC", t),
        title() {},
        navigate: (/** @type {string} */ path) => Promise.resolve(visited.push(path)),
        toast() {},
        explain: (/** @type {any} */ error) => error.message ?? "no answer",
        confirm: () => Promise.resolve(true),
        sheet: () => ({ close() {} }),
    });
    const root = make("main");
    const mounted = /** @type {any} */ (mount)(root, context, params);
    await settled();
    return {
        root,
        asked,
        visited,
        answers,
        t,
        press: (/** @type {RegExp} */ name) => {
            const button = root.querySelectorAll("button").find((/** @type {any} */ one) => name.test(one.told));
            ok(button, `${name} in ${root.told}`);
            button.click();
        },
        outcome: () => root.having("role", "status").map((/** @type {any} */ one) => one.textContent).join(""),
        end: () => mounted.unmount(),
    };
}

/** @param {any} more */
const test = (more) => ({ state: "sending", decidedAt: accepted, deliveries: [{ endpoint: 7, host: "farm-log.example", state: "pending", endedAt: null, attempts: [], ...more }] });

Deno.test("a test says what is known: a server took it, or what it answered", async () => {
    const way = { "/endpoints/7": webhook, "/endpoints/7/deliveries": deliveries, "/test-alerts": { alert: "a" } };
    for (
        const [more, text] of /** @type {const} */ ([
            [{ state: "accepted", endedAt: "2026-11-29T14:02:01.500Z" }, "Its server took the test after 1.4 s."],
            [{ attempts: [{ outcome: "retry", status: 401 }] }, "It says “401” to the test."],
            [{ attempts: [{ outcome: "ambiguous", status: null }] }, "It has not answered the test."],
            [{ state: "cancelled", endedAt: accepted }, "The test did not arrive."],
        ])
    ) {
        const shown = await screen(/** @type {any} */ (mountWay), { ...way, "/alerts/a": test(more) }, { way: "7" });
        shown.press(/^Test/);
        await settled();
        same([shown.outcome(), shown.asked.find(([method]) => method === "post")], [text, ["post", "/test-alerts", { endpoint: 7 }]]);
        shown.end();
    }
});

Deno.test("a test that could not be sent says so, and the way stays", async () => {
    const shown = await screen(/** @type {any} */ (mountWay), { "/endpoints/7": webhook, "/endpoints/7/deliveries": deliveries, "/test-alerts": new Error("too many") }, { way: "7" });
    shown.press(/^Test/);
    await settled();
    match(shown.root.told, /too many/);
    match(shown.root.told, /farm-log\.example/);
    shown.end();
});

Deno.test("a way that is not there leads to all of them; without an answer it is asked for again", async () => {
    const absent = await screen(/** @type {any} */ (mountWay), {}, { way: "8" });
    match(absent.root.told, /There is no such way\./);
    absent.end();
    const lost = await screen(/** @type {any} */ (mountWay), { "/endpoints/7": new NoAnswer(false), "/endpoints/7/deliveries": deliveries }, { way: "7" });
    lost.answers["/endpoints/7"] = webhook;
    lost.press(new RegExp(lost.t("common.retry")));
    await settled();
    match(lost.root.told, /Alerts are accepted/);
    lost.end();
});

Deno.test("what cannot be read again stands, and is not told as what holds now", async () => {
    const shown = await screen(/** @type {any} */ (mountWay), { "/endpoints/7": webhook, "/endpoints/7/deliveries": deliveries, "/test-alerts": { alert: "a" }, "/alerts/a": test({ state: "accepted", endedAt: accepted }) }, { way: "7" });
    shown.answers["/endpoints/7"] = new NoAnswer(false);
    shown.press(/^Test/);
    await settled();
    match(shown.root.told, /Alerts are accepted/);
    equal(shown.root.told.includes(shown.t("common.retry")), true);
    shown.answers["/endpoints/7"] = { ...webhook, host: "barn-log.example" };
    shown.press(new RegExp(shown.t("common.retry")));
    await settled();
    match(shown.root.told, /barn-log\.example/);
    equal(shown.root.told.includes(shown.t("common.retry")), false);
    shown.end();
});

Deno.test("an alert that was never sent is not told as one without an answer", async () => {
    const alert = { id: "a", kind: "silence", purpose: "alarm", device: { id: "pond-1", name: "Koi" }, parameter: null, since: accepted, checkProbe: false, state: "undelivered", decidedAt: accepted, eventTime: accepted, acceptedAt: null };
    const untaken = /** @type {const} */ ([["stale", "refused"], ["failed", "refused"], ["failed", "ambiguous"]]).map(([delivery, outcome], index) => ({ ...alert, id: String(index), delivery, outcome, status: null }));
    const shown = await screen(/** @type {any} */ (mountWay), { "/endpoints/7": webhook, "/endpoints/7/deliveries": { ...deliveries, untaken } }, { way: "7" });
    for (const reason of ["not sent in time", "could not be sent", "no answer"]) ok(shown.root.told.includes(reason), `${reason} in ${shown.root.told}`);
    shown.end();
});

Deno.test("what goes on of what a way did not take is sent again, and the button goes once it is on its way", async () => {
    const alert = { id: "a", kind: "silence", purpose: "alarm", device: { id: "pond-1", name: "Koi" }, parameter: null, since: accepted, checkProbe: false, state: "undelivered", decidedAt: accepted, eventTime: accepted, acceptedAt: null };
    const untaken = [{ ...alert, delivery: "stale", outcome: "retry", status: 401 }];
    const path = "/endpoints/7/deliveries";
    for (const [sent, text] of /** @type {const} */ ([[1, "One alarm is on its way there."], [0, "Nothing of it goes on any more."]])) {
        const shown = await screen(/** @type {any} */ (mountWay), { "/endpoints/7": webhook, [path]: { ...deliveries, untaken, sendable: 1 } }, { way: "7" });
        match(shown.root.told, /One alarm goes on\. What is over is not sent\./);
        shown.answers[path] = { ...deliveries, untaken: [{ ...untaken[0], delivery: "pending" }], sendable: 0, sent };
        shown.press(/^Send these again/);
        await settled();
        same([shown.outcome(), shown.asked.find(([method]) => method === "post")], [text, ["post", path, {}]]);
        equal(shown.root.told.includes("Send these again"), false);
        shown.end();
    }
});

Deno.test("without anything that goes on, or with a service of before, nothing is offered to be sent again", async () => {
    for (const more of [{ sendable: 0 }, {}]) {
        const shown = await screen(/** @type {any} */ (mountWay), { "/endpoints/7": webhook, "/endpoints/7/deliveries": { ...deliveries, ...more } }, { way: "7" });
        equal(shown.root.told.includes("Send these again"), false);
        shown.end();
    }
});

Deno.test("a way is removed once the person agrees, and the list comes back", async () => {
    const shown = await screen(/** @type {any} */ (mountWay), { "/endpoints/7": webhook, "/endpoints/7/deliveries": deliveries }, { way: "7" });
    shown.answers["/endpoints/7"] = {};
    shown.press(/^Remove farm-log\.example/);
    await settled();
    same([shown.asked.at(-1), shown.visited], [["delete", "/endpoints/7", undefined], ["/settings/notifications"]]);
    shown.end();
});

Deno.test("a test to all ways is sent by the list, and has an address of its own", async () => {
    const shown = await screen(mountList, { "/endpoints": { items: [webhook, { ...webhook, id: 8, state: "paused" }] }, "/test-alerts": { alert: "a" } });
    match(shown.root.told, /Alerts reach you/);
    shown.press(/Send a test/);
    await settled();
    same([shown.asked.at(-1), shown.visited], [["post", "/test-alerts", {}], ["/settings/notifications/tests/a"]]);
    shown.end();
});

Deno.test("a test that is not there says so; one that went nowhere too", async () => {
    const absent = await screen(/** @type {any} */ (mountTest), { "/endpoints": { items: [] } }, { alert: "a" });
    match(absent.root.told, /There is no such test\./);
    absent.end();
    const nowhere = await screen(/** @type {any} */ (mountTest), { "/endpoints": { items: [] }, "/alerts/a": { state: "undelivered", decidedAt: accepted, deliveries: [] } }, { alert: "a" });
    match(nowhere.root.told, /Nobody was told/);
    equal(nowhere.root.querySelectorAll("ol")[0].hidden, true);
    nowhere.end();
});
