/** Alarms of somebody else's that a person is called for: apart from the person's own, answered like one, and over once it is called off. */

import { deepStrictEqual as same, doesNotMatch, match, ok, strictEqual as equal } from "node:assert/strict";
import { isOpen, kindOf, openOf } from "../../Services/Gateway/Web/kinds/index.js";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { mount as mountAlert } from "../../Services/Gateway/Web/screens/alert/alert.js";
import { isCallDue, sent } from "../../Services/Gateway/Web/screens/alert/told.js";
import { mount as mountAlerts } from "../../Services/Gateway/Web/screens/alerts/alerts.js";
import { episodesOf } from "../../Services/Gateway/Web/water/alerts.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { openPage } from "./page.js";
import { alarmOf, createStore } from "./store.js";

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const now = Date.now();
const ago = (/** @type {number} */ minutes) => new Date(now - minutes * 60_000).toISOString();
const since = ago(30);
const languages = ["en", "de", "es", "ja"];

/** @param {'low' | null} [side] @param {string} [began] @returns {any} */
const tank = (side = null, began = since) => ({
    id: "koi",
    name: "Koi pond",
    online: true,
    gauges: [{
        name: "ph",
        unit: "pH",
        value: side ? 6.4 : 7.4,
        side,
        since: side && Date.parse(began),
        time: now,
        range: { minimum: 7, maximum: 9, decimals: 1 },
        critical: null,
        colour: "#5882B8",
    }],
});

const escalation = (/** @type {any} */ more = {}) => alarmOf("2", "koi", since, { purpose: "escalation", caller: "Mika", decidedAt: ago(20), eventTime: ago(20), text: "6.5 pH, Mika's minimum 6.8.", limit: 6.8, ...more });
const calledOff = (/** @type {any} */ more = {}) => escalation({ id: "3", purpose: "calledOff", decidedAt: ago(10), eventTime: ago(10), text: "Kenji is on it.", ...more });
const alarm = alarmOf("1", "koi", since);

Deno.test("somebody else's alarm is an episode of its own, whatever the person's own one is about", () => {
    const episodes = episodesOf([escalation(), alarm]);
    same(episodes.map(({ alerts }) => alerts.map(({ id }) => id)), [["2"], ["1"]]);
    same(episodesOf([escalation({ caller: "Kenji" }), escalation()]).length, 2);
    // A call of the person's own endpoint belongs to the own alarm.
    same(episodesOf([escalation({ caller: null }), alarm]).map(({ first }) => first.id), ["1"]);
});

Deno.test("a call goes on until it is called off, begins again with the next, and lasts a day at most", () => {
    const open = (/** @type {any[]} */ alerts, at = now) => isOpen(episodesOf(alerts)[0], [tank()], at);
    equal(open([escalation()]), true, "though the water is within the person's own limits");
    equal(open([calledOff(), escalation()]), false);
    equal(open([escalation({ id: "4", decidedAt: ago(1) }), calledOff(), escalation()]), true);
    equal(open([escalation()], now + 86_400_000), false);
    equal(episodesOf([calledOff(), escalation()])[0].until, Date.parse(ago(10)));
});

Deno.test("a call that never came does not go on, and ends nothing", () => {
    const open = (/** @type {any[]} */ alerts) => isOpen(episodesOf(alerts)[0], [tank()], now);
    for (const state of ["undelivered", "cancelled"]) {
        equal(open([escalation({ state })]), false, state);
        equal(open([escalation({ id: "4", state }), escalation()]), true, "the one before did come");
        const [episode] = episodesOf([escalation({ id: "4", state }), calledOff(), escalation()]);
        equal(episode.until, Date.parse(ago(10)));
    }
    equal(open([escalation({ state: "sending" })]), true);
});

Deno.test("what somebody else is on needs nobody any more, and is not over", async () => {
    const alerts = [calledOff({ taker: "Kenji" }), escalation()];
    const [episode] = episodesOf(alerts);
    same([episode.until, episode.taken], [null, { name: "Kenji", at: Date.parse(ago(10)) }]);
    equal(isOpen(episode, [tank()], now), false);
    same(episodesOf([escalation({ id: "4" }), ...alerts])[0].taken, null, "until the next call");
    same(episodesOf([calledOff({ id: "5", taker: null }), ...alerts])[0].until, Date.parse(ago(10)), "until it is over");
    const store = createStore({ api: { get: () => Promise.resolve({ data: { items: alerts, next: null } }) }, tanks: [tank()] });
    await store.told.read();
    equal(store.told.calling.value, 0);
});

Deno.test("what calls off the person's own endpoint ends nothing, and tells nothing of the water", () => {
    const [episode] = episodesOf([calledOff({ caller: null, value: null, worst: null }), escalation({ caller: null }), alarm]);
    same([episode.until, episode.alerts.map(({ id }) => id)], [null, ["2", "1"]]);
    equal(isOpen(episode, [tank("low")]), true);
    same(episodesOf([calledOff({ caller: null })])[0].alerts.map(({ id }) => id), ["3"], "what is known alone is told");
});

Deno.test("one thing counts once, and an own alarm that nobody was told of still has its row", async () => {
    const both = openOf(episodesOf([escalation(), alarm]), [tank("low")], [], now);
    same(both.map(({ isCovered }) => isCovered), [true, false]);
    const alone = openOf(episodesOf([escalation()]), [tank()], [], now);
    same(alone.map(({ isCovered }) => isCovered), [false]);
    const untold = openOf(episodesOf([escalation()]), [tank("low")], [], now);
    same(untold.map(({ episode, isCovered }) => [episode === null, isCovered]), [[false, true], [true, false]]);
    const store = createStore({ api: { get: () => Promise.resolve({ data: { items: [escalation(), alarm], next: null } }) }, tanks: [tank("low")] });
    await store.told.read();
    equal(store.told.calling.value, 1);
});

Deno.test("a call has the look of its kind, and of no parameter of a newer service more than the service says", async () => {
    const t = await loadWords("en");
    const kind = kindOf(escalation(), t);
    same([kind.name, kind.isCall, kind.isOfRange, kind.past, kind === kindOf(escalation(), t)], ["range", true, true, "answered", true]);
    equal(kindOf(alarm, t).isCall, undefined);
    const newer = escalation({ parameter: "lithium", title: "Lithium is low" });
    const told = kindOf(newer, t).told({ t, format: createFormat("en", "UTC", t) }, episodesOf([newer])[0], { now, isNow: true });
    same([told.name, told.detail], ["Lithium is low", "Mika's alarm · koi · 6.5 pH, Mika's minimum 6.8."]);
});

/** @param {string} language @param {any[]} items @param {any} [more] */
async function world(language, items, more = {}) {
    const { make } = openPage();
    const t = await loadWords(language);
    /** @type {string[]} */
    const asked = [];
    const api = {
        get: (/** @type {string} */ path) => {
            asked.push(path);
            const found = items.find(({ id }) => path === `/alerts/${id}`);
            return Promise.resolve({ data: found ?? (path === "/alerts" ? { items, next: null } : { steps: [], points: [], unit: "pH", step: 60, gap: 600, resolution: "raw", statistics: {} }) });
        },
    };
    /** @type {any[]} */
    const answered = [];
    const store = createStore({
        api,
        tanks: [tank()],
        more: {
            deviceOf: () => ({ id: "koi", name: "Koi pond", role: "watcher" }),
            answer: (/** @type {any} */ subject, /** @type {string} */ reply) => (answered.push([subject, reply]), Promise.resolve({ onIt: null })),
            ...more,
        },
    });
    const context = /** @type {any} */ ({ t, api, store, format: createFormat(language, "UTC", t), title() {}, toast() {}, explain: String, preferences: { has: () => true } });
    return { root: make("main"), context, t, asked, answered };
}

for (const language of languages) {
    Deno.test(`${language}: the list and the page say whose alarm it is and whose limit, and offer the answer while it goes on`, async () => {
        const { root, context, t, asked, answered } = await world(language, [escalation()]);
        const list = mountAlerts(root, context);
        await settled();
        list.unmount();
        ok(root.told.includes(t("alerts.called", { name: "Mika" })), root.told);
        doesNotMatch(root.told, /undefined|null|NaN|[{}]/);
        ok(root.having("class", "alerts-open").length === 1);
        const page = mountAlert(root, context, { alert: "2" });
        await settled();
        page.unmount();
        ok(root.told.includes(t("alerts.called_low", { name: "Mika" })), root.told);
        ok(root.told.includes(t("alerts.purpose_escalation")));
        equal(root.told.split("|").includes(t("alerts.fact_low")), false);
        equal(root.having("href", `/settings/koi/ph`).length, 0, "nobody changes the limits of somebody else");
        equal(asked.some((path) => path.endsWith("/why")), false);
        const button = root.querySelectorAll("button").find((/** @type {any} */ one) => one.told === t("answers.onIt"));
        button.click();
        same(answered, [[{ device: "koi", kind: "range", parameter: "ph", side: "low" }, "onIt"]]);
    });

    Deno.test(`${language}: what was called off is in its day, and asks for nothing`, async () => {
        const { root, context, t } = await world(language, [calledOff(), escalation()]);
        const list = mountAlerts(root, context);
        await settled();
        list.unmount();
        equal(root.having("class", "alerts-open").length, 0);
        equal(root.shapes.includes("answered"), true);
        const page = mountAlert(root, context, { alert: "3" });
        await settled();
        page.unmount();
        equal(root.told.includes(t("answers.onIt")), false);
        ok(root.told.includes(t("alerts.purpose_calledOff")));
        equal(root.querySelector(".alert-air").hasAttribute("data-alarm"), false);
    });

    Deno.test(`${language}: what somebody is on has no end, but says who and since when`, async () => {
        const { root, context, t } = await world(language, [calledOff({ taker: "Kenji" }), escalation()]);
        const off = Date.parse(ago(10));
        const list = mountAlerts(root, context);
        await settled();
        list.unmount();
        ok(root.told.includes(t("alerts.called_off", { at: context.format.at(off), name: "Kenji" })), root.told);
        const page = mountAlert(root, context, { alert: "3" });
        await settled();
        page.unmount();
        const where = [t("alerts.called", { name: "Mika" }), "koi", t("alerts.called_off", { at: context.format.at(off), name: "Kenji" })];
        equal(root.querySelector(".alert-where").told, where.join(" · "));
        equal(root.told.includes(t("answers.onIt")), false);
    });
}

Deno.test("an alert tells who was called, each once, then who is next and until when the chain rests", async () => {
    openPage();
    const t = await loadWords("en");
    const context = { t, format: createFormat("en", "UTC", t) };
    const at = (/** @type {string} */ time) => `2026-11-29T${time}:00Z`;
    const call = (/** @type {string} */ time, /** @type {any} */ more) => ({ at: at(time), after: 10, name: null, isYou: false, isWay: false, endpoint: null, outcome: "told", ...more });
    const items = [
        call("04:02", { name: "Ana", outcome: "quietHours" }),
        call("04:12", { name: "Kenji" }),
        call("04:12", { name: "Kenji" }),
        call("04:22", { isYou: true, isWay: true, endpoint: 7, outcome: "unreachable" }),
        call("04:27", { name: "Mika", isWay: true, outcome: "paused" }),
        call("04:29", { isYou: true }),
        call("04:32", { isYou: true, isWay: true, endpoint: 9, outcome: "someday" }),
    ];
    const message = (/** @type {string} */ id, /** @type {string} */ time, /** @type {any} */ calls) => alarmOf(id, "koi", at("03:52"), { decidedAt: at(time), text: "6.5 pH.", calls });
    const ways = [{ id: 7, channel: "telegram", service: "Telegram", host: "Koi club", state: "failing" }];
    const told = [
        message("1", "03:52", { items: items.slice(0, 1), next: null, heldUntil: null }),
        message("2", "04:15", { items, next: { at: at("05:12"), name: "Leo", isYou: false, isWay: true, endpoint: null }, heldUntil: at("05:02") }),
    ];
    const [, list] = /** @type {any[]} */ (sent(context, told, ways));
    const rows = list.querySelectorAll("li").map((/** @type {any} */ row) => row.told.split("|").filter((/** @type {string} */ text) => text !== "").join(" "));
    same(rows, [
        "03:52 Alert 6.5 pH. arrived",
        "04:02 Ana not told: quiet hours",
        "04:12 Kenji told",
        "04:12 Kenji told",
        "04:15 Alert 6.5 pH. arrived",
        "04:22 Telegram (Koi club) not told: nothing works there",
        "04:27 Mika, another way not told: signed out there",
        "04:29 You told",
        "04:32 One of your ways someday",
        `Stopped until ${context.format.placed(Date.parse(at("05:02")))}`,
        "05:12 Next: Leo, another way",
    ]);
    same(list.shapes, ["low", "snoozed", "fine", "fine", "low", "fault", "fault", "fine", "snoozed", "snoozed", "silent"]);
    same(["05:01", "05:02", "05:12"].map((time) => isCallDue(told, Date.parse(at(time)))), [false, true, true]);
    // A service of before.
    match(/** @type {any} */ (sent(context, [alarm], []))[1].told, /Alert/);
    equal(isCallDue([alarm], now), false);
});
