/** What goes on: what the list shows is what the badge counts; what is snoozed is marked and not red; what was seen is there without a connection. */

import { deepStrictEqual as same, doesNotMatch, match, ok, strictEqual as equal } from "node:assert/strict";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { mount as mountAlert } from "../../Services/Gateway/Web/screens/alert/alert.js";
import { mount as mountAlerts } from "../../Services/Gateway/Web/screens/alerts/alerts.js";
import { openPage } from "./page.js";
import { alarmOf, createStore } from "./store.js";

const now = Date.now();
const hour = 3_600_000;
const since = new Date(now - hour).toISOString();
const later = new Date(now + hour).toISOString();

/** @param {string} id @param {any} [gauge] */
const tank = (id, gauge = {}) => ({
    id,
    name: id,
    online: true,
    silentSince: null,
    gauges: [{
        name: "ph",
        unit: "pH",
        colour: "#5882B8",
        value: 6.5,
        time: now,
        side: "low",
        since: Date.parse(since),
        range: { minimum: 7, maximum: 9, least: 0, greatest: 14, decimals: 1 },
        critical: { minimum: 5, maximum: null },
        ...gauge,
    }],
});

/** @param {string} id @param {string} device @param {any} [more] */
const alarm = (id, device, more) => alarmOf(id, device, since, more);

/** @param {string} device @param {any} [more] */
const snoozeOf = (device, more = {}) => ({ device, kind: "range", parameter: "ph", side: "low", until: later, acknowledged: false, ...more });

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

/**
 * @param {(root: any, context: any, params: any) => {unmount: () => void}} mount
 * @param {{alerts: any[], tanks: any[], snoozes?: any[], kept?: Record<string, any>, answers?: () => boolean, language?: string}} parts
 */
async function shown(mount, { alerts, tanks, snoozes, kept, answers = () => true, language = "en" }) {
    const { make, document } = openPage();
    /** @type {string[]} */
    const asked = [];
    const t = await loadWords(/** @type {any} */ (language));
    const api = {
        get: (/** @type {string} */ path) => {
            asked.push(path);
            if (!answers()) return Promise.reject(new Error("no connection"));
            if (path.endsWith("/series")) return Promise.resolve({ data: { unit: "pH", resolution: "raw", step: 60, gap: 900, points: [], statistics: {} } });
            if (path.endsWith("/why")) return Promise.resolve({ data: { steps: [] } });
            const one = alerts.find(({ id }) => path === `/alerts/${id}`);
            return Promise.resolve({ data: one ?? { items: alerts, next: null } });
        },
    };
    const store = createStore({ api, tanks, snoozes, kept, more: { asked, deviceOf: () => ({ role: "owner" }) } });
    const root = make("main");
    const format = createFormat(language, "UTC", t);
    const context = { t, api, store, format, title() {}, explain: () => "No answer.", navigate() {}, preferences: { has: () => true } };
    const screen = mount(root, context, { alert: alerts[0]?.id });
    await settled();
    return { root, store, document, t, format, end: () => screen.unmount() };
}

/** @param {any} root */
const isRed = (root) => root.having("class", "alert-air")[0].hasAttribute("data-alarm");

Deno.test("the page of an alert is red while the water calls, and neither snoozed, nor noted, nor over", async () => {
    /** @type {[string, any, any[], boolean][]} */
    const cases = [
        ["it goes on", {}, [], true],
        ["snoozed", {}, [snoozeOf("koi")], false],
        ["noted", {}, [snoozeOf("koi", { acknowledged: true })], false],
        ["the snooze is over", {}, [snoozeOf("koi", { until: since })], true],
        ["another side is snoozed", {}, [snoozeOf("koi", { side: "high" })], true],
        ["another tank is snoozed", {}, [snoozeOf("reef")], true],
        ["critical although snoozed", { value: 4 }, [snoozeOf("koi")], true],
        ["over", { side: null, since: null, value: 8 }, [], false],
    ];
    for (const [what, gauge, snoozes, expected] of cases) {
        const { root, end } = await shown(mountAlert, { alerts: [alarm("1", "koi")], tanks: [tank("koi", gauge)], snoozes });
        equal(isRed(root), expected, what);
        equal(root.having("class", "fact-alarm").length, expected ? 1 : 0, `${what}: its value`);
        end();
    }
});

Deno.test("a snooze that comes, and goes, is on the page of the alert at once", async () => {
    const { root, store, end } = await shown(mountAlert, { alerts: [alarm("1", "koi")], tanks: [tank("koi")] });
    equal(isRed(root), true);
    store.snoozes.value = [snoozeOf("koi")];
    await settled();
    equal(isRed(root), false);
    match(root.told, /Snoozed until/);
    store.snoozes.value = [];
    await settled();
    equal(isRed(root), true);
    end();
});

for (const language of ["en", "ja", "es"]) {
    Deno.test(`${language}: what is snoozed is marked in the list, with its shape and until when`, async () => {
        const alerts = [alarm("1", "koi"), alarm("2", "reef"), alarm("3", "pond")];
        const tanks = ["koi", "reef", "pond", "tub"].map((id) => tank(id));
        const { root, store, t, format, end } = await shown(mountAlerts, {
            alerts,
            tanks,
            snoozes: [snoozeOf("koi"), snoozeOf("pond", { acknowledged: true }), snoozeOf("tub")],
            language,
        });
        const until = t("snooze.until", { time: format.placed(Date.parse(later), now) });
        const marks = () => root.having("class", "row-open").map((/** @type {any} */ row) => [row.shapes[0], row.told.includes(until) || row.told.includes(t("snooze.acknowledged"))]);
        same(marks(), [["snoozed", true], ["low", false], ["snoozed", true], ["snoozed", true]]);
        equal(root.having("class", "alerts-open").length, 1, "one is red");
        const rows = root.having("class", "row-open");
        store.snoozes.value = [snoozeOf("reef")];
        await settled();
        same(marks(), [["low", false], ["snoozed", true], ["low", false], ["low", false]]);
        same(root.having("class", "row-open"), rows);
        end();
    });
}

Deno.test("the badge counts the rows of what goes on, whatever there is", async () => {
    let seed = 11;
    const random = () => (seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
    const pick = (/** @type {any[]} */ all) => all[Math.floor(random() * all.length)];
    let most = 0;
    for (let round = 0; round < 60; round += 1) {
        const tanks = ["koi", "reef", "pond"].map((id) => tank(id, pick([{}, { side: null, since: null, value: 8 }, { value: 8 }, { time: now - hour }])));
        const alerts = Array.from({ length: Math.floor(random() * 7) }, (_, index) =>
            alarm(String(index), pick(["koi", "reef", "pond", "gone"]), pick([
                {},
                { side: "high" },
                { kind: "silence", parameter: null, side: null, since: new Date(now - hour / 2).toISOString() },
                { kind: "rate", side: null, decidedAt: new Date(now - hour / 4).toISOString() },
                { purpose: "recovery" },
                { purpose: "test", device: null },
            ])));
        const snoozes = ["koi", "reef"].filter(() => random() < 0.5).map((id) => snoozeOf(id));
        const { root, store, end } = await shown(mountAlerts, { alerts, tanks, snoozes });
        const rows = root.having("class", "row-open").length;
        equal(store.told.open.value.length, rows, `round ${round}`);
        if (rows > 0) match(root.told, new RegExp(`\\b${rows} alerts? open`));
        most = Math.max(most, rows);
        end();
    }
    ok(most > 4);
    // The tab, the title and the icon have one number: of what nobody answers.
    const main = await Deno.readTextFile(new URL("../../Services/Gateway/Web/app/main.js", import.meta.url));
    same([...main.matchAll(/const count = (.*);/g)].map(([, text]) => text), Array(3).fill("store.told.calling.value"));
});

Deno.test("without a connection the list that was seen is there, and says when it was seen", async () => {
    const kept = { alerts: { items: [alarm("1", "koi")], seenAt: now - hour } };
    const { root, store, end } = await shown(mountAlerts, { alerts: [], tanks: [tank("koi")], kept, answers: () => false });
    match(root.told, /As seen at .*pH is low/);
    equal(store.told.open.value.length, 1);
    doesNotMatch(root.told, /No answer/);
    end();
    const nothing = await shown(mountAlerts, { alerts: [], tanks: [], answers: () => false });
    match(nothing.root.told, /No answer/);
    nothing.end();
});

Deno.test("without a connection an alert that was seen is there, says when, and calls nobody", async () => {
    /** @type {Record<string, any>} */
    const kept = {};
    const parts = { alerts: [alarm("1", "koi")], tanks: [tank("koi")], kept };
    const first = await shown(mountAlert, parts);
    doesNotMatch(first.root.told, /As seen at/);
    first.end();
    kept["alert 1"].seenAt = now - hour;
    let isThere = false;
    const { root, store, end, format } = await shown(mountAlert, { ...parts, answers: () => isThere });
    ok(root.told.includes(`As seen ${format.at(now - hour, now)}`), root.told);
    match(root.told, /pH is low\|.*Your minimum\|7\.0/);
    equal(isRed(root), false);
    // The connection is back.
    isThere = true;
    store.connection.value = { state: "live" };
    await settled();
    doesNotMatch(root.told, /As seen at/);
    equal(isRed(root), true);
    // A connection that stands asks for nothing again; one that is gone dates what is shown.
    const { asked } = store;
    const before = asked.length;
    store.connection.value = { state: "live" };
    await settled();
    equal(asked.length, before);
    store.connection.value = { state: "offline" };
    await settled();
    equal(asked.length, before);
    match(root.told, /As seen at/);
    equal(isRed(root), false);
    end();
});

Deno.test("a reading, of this tank or of another, leaves the elements of an alert's page, and the focus in it", async () => {
    const { root, store, document, end } = await shown(mountAlert, { alerts: [alarm("1", "koi")], tanks: [tank("koi"), tank("reef")] });
    const button = root.having("class", "alert-snooze")[0].querySelectorAll("button")[0];
    button.focus();
    const before = root.all().filter((/** @type {any} */ one) => one.localName !== "svg" && one.localName !== "path");
    for (const value of [6.2, 6.1, 5.9]) {
        store.tanks.value = [tank("koi", { value }), tank("reef", { value: value + 2, side: null, since: null })];
        await settled();
        ok(root.told.includes(value.toFixed(1)));
        ok(before.every((/** @type {any} */ one) => root.contains(one)), "what stood there stands there");
        equal(document.activeElement, button);
    }
    end();
});
