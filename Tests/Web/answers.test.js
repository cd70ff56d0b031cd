/** Answers to alarms: who is on what, what becomes of it here, and what it changes in what is told. */

import { deepStrictEqual as same, ok, strictEqual as equal } from "node:assert/strict";
import { createAlertList } from "../../Services/Gateway/Web/app/alert-list.js";
import { createChanges } from "../../Services/Gateway/Web/app/changes.js";
import { createKnown } from "../../Services/Gateway/Web/app/known.js";
import { answer as answerAlarm } from "../../Services/Gateway/Web/components/answer/answer.js";
import { isTold, openOf } from "../../Services/Gateway/Web/kinds/index.js";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import { mount as mountAlert } from "../../Services/Gateway/Web/screens/alert/alert.js";
import { mount as mountAlerts } from "../../Services/Gateway/Web/screens/alerts/alerts.js";
import { deviceModel } from "../../Services/Gateway/Web/components/device-card/device-model.js";
import { createAbove } from "../../Services/Gateway/Web/screens/home/above.js";
import { cardModel } from "../../Services/Gateway/Web/screens/home/models.js";
import { told } from "../../Services/Gateway/Web/screens/home/sentences.js";
import {
    afterEpisode,
    answeredText,
    answerOf,
    initialOf,
    repliesTo,
    replaced,
    shortAnsweredText,
} from "../../Services/Gateway/Web/water/answers.js";
import { findingsOf, headlineOf } from "../../Services/Gateway/Web/water/headline.js";
import { leadingOf, needsOf } from "../../Services/Gateway/Web/water/leading.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { Problem } from "../../Services/Gateway/Web/words/problem.js";
import { openPage } from "./page.js";
import { alarmOf, createStore } from "./store.js";

/** @typedef {import("../../Services/Gateway/Web/water/answers.js").Answer} Answer */
/** @typedef {import("../../Services/Gateway/Web/water/snoozes.js").Subject} Subject */

const now = Date.now();
const minute = 60_000;
const text = (/** @type {number} */ time) => new Date(time).toISOString();
const live = /** @type {const} */ ({ state: "live", seenAt: now });
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

/** @param {Partial<Answer>} [more] @returns {Answer} */
const answer = (more = {}) => ({
    ...{ device: "koi", kind: "range", parameter: "ph", side: "low", name: "Ana", isYou: false, solvedAt: null },
    ...{ since: text(now - 5 * minute), until: text(now + 55 * minute) },
    ...more,
});
/** @type {Subject} */
const subject = { device: "koi", kind: "range", parameter: "ph", side: "low" };

/** @param {string} id @param {any} [gauge] @param {Answer[]} [answers] @param {any[]} [others] @returns {any} */
const tank = (id, gauge = {}, answers = [], others = []) => ({
    id,
    name: id,
    online: true,
    silentSince: null,
    unreadable: null,
    answers,
    gauges: [gaugeOf("ph", gauge), ...others],
});

/** @param {string} name @param {any} more @returns {any} */
const gaugeOf = (name, more) => ({
    ...{ name, unit: "pH", colour: "#5882B8", range: { minimum: 7, maximum: 9, least: 0, greatest: 14, decimals: 1 } },
    ...{ value: 6.5, time: now - 8_000, side: "low", since: now - 20 * minute, snoozed: null, brokenSince: null, isFlat: false },
    ...more,
});
const fine = { value: 8, side: null, since: null };

/** @param {string} [language] @returns {Promise<any>} */
async function voiceOf(language = "en") {
    const t = await loadWords(language);
    return { t, format: createFormat(language, "UTC", t) };
}

// MARK: What is kept

Deno.test("an answer is of one side of one parameter of one device, and holds until its time", () => {
    const found = answerOf([answer()], subject, now);
    same(found, { name: "Ana", isYou: false, since: now - 5 * minute, until: now + 55 * minute, solvedAt: null });
    for (const other of [{ device: "pond" }, { kind: "silence" }, { parameter: "salinity" }, { parameter: null }, { side: "high" }]) {
        equal(answerOf([answer()], /** @type {Subject} */ ({ ...subject, ...other }), now), null);
    }
    ok(answerOf([answer()], subject, now + 55 * minute - 1));
    equal(answerOf([answer()], subject, now + 55 * minute), null);
});

Deno.test("it ends with its episode, and with no other; the next one takes its place", () => {
    const others = [answer({ parameter: "salinity" }), answer({ device: "pond" }), answer({ kind: "rate", side: null })];
    same(afterEpisode([answer(), ...others], subject), others);
    const mine = answer({ name: "Mika", isYou: true });
    same(replaced([answer(), ...others], subject, mine), [...others, mine]);
    same(replaced([answer(), ...others], subject, null), others);
});

Deno.test("each person ends their own answer alone", () => {
    const own = answerOf([answer({ isYou: true })], subject, now);
    same([repliesTo(null), repliesTo(answerOf([answer()], subject, now)), repliesTo(own)], [["onIt"], [], ["solved", "cannot"]]);
    same(repliesTo(own && { ...own, solvedAt: now }), ["cannot"]);
});

Deno.test("what is known of answers is in its tank, outlasts a visit, and goes with the person", async () => {
    const entries = new Map();
    /** @type {any} */
    const disk = {
        get: (/** @type {string} */ key) => Promise.resolve(entries.get(key)),
        set: () => Promise.resolve(),
        all: (/** @type {string} */ prefix) => Promise.resolve([...entries].filter(([key]) => key.startsWith(prefix)).map(([, value]) => value)),
        put: (/** @type {Map<string, any>} */ next) => Promise.resolve([...next].forEach(([key, value]) => entries.set(key, structuredClone(value)))),
        clear: () => Promise.resolve(entries.clear()),
    };
    const known = createKnown(disk);
    known.account.value = /** @type {any} */ ({ email: "ana@example.org" });
    known.devices.value = /** @type {any} */ ([{ id: "koi", name: "koi" }, { id: "reef", name: "reef" }]);
    known.setAnswers([answer()]);
    same(known.tanks.value?.map(({ answers }) => answers), [[answer()], []]);
    known.write();
    const next = createKnown(disk);
    await next.recall();
    same(next.answers.value, [answer()]);
    await next.clear();
    same(next.answers.value, []);
});

// MARK: Answering

/** @param {any} answered What the service says to an answer. */
function world(answered) {
    /** @type {string[]} */
    const asked = [];
    /** @type {any} */
    const known = {
        answers: { value: [] },
        changed: (/** @type {() => Promise<unknown>} */ change) => change(),
        setAnswers: (/** @type {any} */ next) => known.answers.value = next,
    };
    /** @type {any} */
    const api = {
        post: (/** @type {string} */ path, /** @type {any} */ body) => {
            asked.push(`POST ${path} ${JSON.stringify(body)}`);
            return answered instanceof Error ? Promise.reject(answered) : Promise.resolve({ data: { onIt: answered } });
        },
    };
    return { asked, known, changes: createChanges({ api, known }) };
}

Deno.test("what is answered is what the sentence says, whether or not the person was alerted of it, and it shows at once", async () => {
    const mine = answer({ name: "Mika", isYou: true });
    const { asked, known, changes } = world(mine);
    same(await changes.answer(subject, "onIt"), { onIt: mine });
    same(known.answers.value, [mine]);
    await changes.answer({ device: "koi", kind: "silence", parameter: null, side: null }, "solved");
    same(asked, [
        'POST /devices/koi/answer {"kind":"range","parameter":"ph","side":"low","answer":"onIt"}',
        'POST /devices/koi/answer {"kind":"silence","answer":"solved"}',
    ]);
    const ended = world(null);
    ended.known.answers.value = [mine];
    await ended.changes.answer(subject, "cannot");
    same(ended.known.answers.value, []);
});

Deno.test("whoever was faster is told, and what is over is explained", async () => {
    for (const [answered, said] of /** @type {[any, RegExp | null][]} */ ([
        [answer(), /^Ana is on it since \d\d:\d\d$/],
        [answer({ isYou: true }), null],
        [new Problem(409, { code: "episode-over", title: "It is over" }, null), /^explained: It is over$/],
    ])) {
        const { changes } = world(answered);
        /** @type {string[]} */
        const toasts = [];
        const context = { ...await voiceOf(), store: changes, toast: (/** @type {any} */ one) => toasts.push(one.text), explain: (/** @type {Error} */ error) => `explained: ${error.message}` };
        await answerAlarm(/** @type {any} */ (context), subject, "onIt");
        equal(toasts.length, said ? 1 : 0);
        if (said) ok(said.test(toasts[0]), toasts[0]);
    }
});

// MARK: What is told first

Deno.test("water outside that nobody answers comes first, however slightly, and both before any other trouble", () => {
    const others = [gaugeOf("salinity", { value: 6.9, side: "low" }), gaugeOf("nitrate", { value: 8, side: null, since: null, brokenSince: now - minute })];
    const names = (/** @type {Answer[]} */ answers, more = {}) => findingsOf(tank("koi", { value: 4, ...more }, answers, others), now).map(({ gauge }) => gauge?.name);
    same(names([]), ["ph", "salinity", "nitrate"]);
    same(names([answer()]), ["salinity", "ph", "nitrate"]);
    same(names([answer({ until: text(now) })]), ["ph", "salinity", "nitrate"], "its time has passed");
    same(names([answer(), answer({ parameter: "salinity" })]), ["ph", "salinity", "nitrate"]);
    // What is snoozed calls nobody, answered or not.
    const snoozed = { snoozed: { until: now + minute, isAcknowledged: false }, value: 6.5 };
    same(names([answer({ parameter: "salinity" })], snoozed), ["salinity", "ph", "nitrate"]);
});

Deno.test("what somebody is on stays red, and is no snooze", () => {
    for (const isYou of [true, false]) {
        const headline = headlineOf(tank("koi", {}, [answer({ isYou })]), live, now);
        same([headline.kind, headline.isAlarm, headline.finding?.isSnoozed, headline.finding?.answered?.name], ["outside", true, false, "Ana"]);
    }
    const [open] = openOf([], [tank("koi")], [], now, [answer()]);
    same([open.snoozed, open.answered?.name], [null, "Ana"]);
});

Deno.test("other trouble is answered as the alerts of it are called", () => {
    // Its limits were moved: the episode's side stays until the next reading, and a fault has none.
    const broken = gaugeOf("ph", { ...fine, side: "low", brokenSince: now - minute });
    const ofFault = answer({ kind: "fault", side: null });
    same(findingsOf({ ...tank("koi", {}, [ofFault]), gauges: [broken] }, now).map(({ kind, answered }) => [kind, answered?.name]), [["fault", "Ana"]]);
    const ofDevice = answer({ kind: "silence", parameter: null, side: null });
    const silent = { ...tank("koi", { ...fine, time: now - 60 * minute }, [ofDevice]), online: false };
    same(findingsOf(silent, now).map(({ kind, answered }) => [kind, answered?.name]), [["silentDevice", "Ana"]]);
    const ofProbe = answer({ kind: "silence", side: null });
    const one = tank("koi", { ...fine, time: now - 60 * minute }, [ofProbe], [gaugeOf("salinity", fine)]);
    same(findingsOf(one, now).map(({ kind, answered }) => [kind, answered?.name]), [["silent", "Ana"]]);
});

Deno.test("several tanks: those count that nobody sees to, and lead; where somebody sees to all it is said", async () => {
    const tanks = [tank("koi", { value: 4 }, [answer()]), tank("reef", { value: 6.9 }), tank("tub", fine)];
    same(needsOf(tanks, now), { count: 1, seenTo: 1, all: 3 });
    const nobody = { chosen: null, held: null, remembered: null };
    equal(leadingOf(tanks, nobody, now)?.id, "reef");
    equal(leadingOf(tanks, { ...nobody, held: "koi" }, now)?.id, "koi", "nothing moves by itself");
    // Something else of the same tank that nobody sees to.
    same(needsOf([tank("koi", {}, [answer()], [gaugeOf("salinity", {})]), tank("tub", fine)], now), { count: 1, seenTo: 0, all: 2 });
    const both = [tanks[0], tank("reef", {}, [answer({ device: "reef" })]), tanks[2]];
    for (const [language, one] of /** @type {const} */ ([["en", "1 is being seen to."], ["de", "Um 1 kümmert sich jemand."], ["es", "De 1 ya se ocupa alguien."], ["ja", "1台は対応中です。"]])) {
        const voice = await voiceOf(language);
        const overall = { name: "koi", ...needsOf([tanks[0], tanks[2]], now) ?? { count: 0, seenTo: 0, all: 0 } };
        const said = told(voice, headlineOf(tanks[0], live, now), { now, seriesOf: () => null, overall });
        equal(said.reason[0].text, one);
    }
    same(needsOf(both, now), { count: 0, seenTo: 2, all: 3 });
});

Deno.test("the badge counts what nobody answers", () => {
    const answers = signal(/** @type {Answer[]} */ ([]));
    const list = createAlertList({
        .../** @type {any} */ ({ api: {}, keep() {}, kept() {} }),
        tanks: signal([tank("koi"), tank("reef"), tank("pond", fine)]),
        snoozes: signal([]),
        answers,
        kinds: signal({ openOf }),
    });
    same([list.open.value.length, list.calling.value], [2, 2]);
    answers.value = [answer()];
    same([list.open.value.length, list.calling.value], [2, 1]);
    answers.value = [answer({ until: text(now - 1) })];
    same([list.open.value.length, list.calling.value], [2, 2]);
});

// MARK: What stands there

Deno.test("who is on it is said in every language, with its time", async () => {
    const at = Date.parse("2026-11-23T04:02:00Z");
    const others = { name: "Ana", isYou: false, since: at, until: at + 60 * minute, solvedAt: null };
    const solved = { ...others, solvedAt: at + 18 * minute };
    /** @type {Record<string, string[]>} */
    const expected = {
        en: ["Ana is on it since 04:02", "You are on it", "Ana says it is solved, 04:20", "You said it is solved, 04:20", "Ana is on it"],
        de: ["Ana kümmert sich seit 04:02 Uhr", "Du kümmerst dich", "Ana meldet um 04:20 Uhr: behoben", "Von dir um 04:20 Uhr als behoben gemeldet", "Ana kümmert sich"],
        es: ["Ana se ocupa desde las 4:02", "Te ocupas tú", "Ana dice que está resuelto, 4:20", "Dijiste que está resuelto, 4:20", "Ana se ocupa"],
        ja: ["4:02からAnaが対応中", "あなたが対応中", "Ana：解決済みと回答、4:20", "解決済みと回答しました、4:20", "Anaが対応中"],
    };
    for (const [language, texts] of Object.entries(expected)) {
        const voice = await voiceOf(language);
        const said = [others, { ...others, isYou: true }, solved, { ...solved, isYou: true }].map((one) => answeredText(voice, one, at + 20 * minute));
        same([...said, shortAnsweredText(voice, others)], texts);
    }
    same([initialOf("ana"), initialOf(" Ögmundur"), initialOf("健太"), initialOf("🐟 Fin"), initialOf("")], ["A", "Ö", "健", "🐟", ""]);
});

/** @param {any} tank @param {any[]} [open] */
async function above(tank, open = []) {
    openPage();
    const context = { ...await voiceOf(), store: { tanks: { value: [tank] }, told: { open: { value: open } }, account: { value: null }, connection: { value: live }, choose() {} } };
    const made = createAbove(/** @type {any} */ (context), { more() {}, again() {}, hasDetails: () => false });
    const update = (/** @type {any} */ next) =>
        made.update(next, headlineOf(next, live, now), { now, trouble: "", seriesOf: () => null, overall: null });
    update(tank);
    /** @type {any} */
    const air = made.air.element;
    return {
        update,
        air,
        news: () => /** @type {any} */ (made.announcements[0]).textContent,
        buttons: () => air.querySelector(".air-buttons").children.map((/** @type {any} */ one) => [one.textContent, one.getAttribute("class").replace("button air-button-", "")]),
        pill: () => air.querySelector(".on-it").hidden ? null : air.querySelector(".on-it").told,
    };
}

Deno.test("above the line: who is on it takes the place of the buttons, with the red left as it is", async () => {
    const { air, buttons, pill, update, news } = await above(tank("koi"));
    same([buttons(), pill()], [[["I'm on it", "primary"], ["Snooze", "second"], ["See graph", "second"]], null]);
    ok(air.querySelector(".air-action").textContent !== "");
    update(tank("koi", {}, [answer()]));
    same([buttons(), pill()?.replace(/\d\d:\d\d/, "04:02"), air.getAttribute("data-tone")], [[["Snooze", "second"]], "A|Ana is on it since 04:02", "alarm"]);
    // What somebody else does needs no other hand; whoever listens hears of it.
    equal(air.querySelector(".air-action").textContent, "");
    ok(/^Ana is on it since/.test(news()), news());
    update(tank("koi", {}, [answer({ name: "Mika", isYou: true })]));
    same([buttons(), pill()], [[["It is solved", "second"], ["I can't", "second"]], "M|You are on it"]);
    ok(air.querySelector(".air-action").textContent !== "");
    update(tank("koi", {}, [answer({ solvedAt: text(now) })]));
    ok(/^A\|Ana says it is solved, /.test(pill() ?? ""));
});

Deno.test("above the line: other trouble is answered once the person was told of it", async () => {
    const broken = { ...tank("koi"), gauges: [gaugeOf("ph", { ...fine, brokenSince: now - minute, time: now - 8_000 })] };
    same((await above(broken)).buttons(), [["See graph", "primary"]]);
    const [first] = [alarmOf("1", "koi", text(now - minute), { kind: "fault", side: null })];
    const open = [{ episode: { first }, tank: broken, gauge: null, snoozed: null, answered: null }];
    same((await above(broken, open)).buttons(), [["I'm on it", "primary"], ["See graph", "second"]]);
    equal(isTold(/** @type {any} */ (open), { device: "koi", kind: "fault", parameter: "salinity", side: null }), false);
});

Deno.test("above the line: the second click of a double one says nothing", async () => {
    openPage();
    /** @type {any[]} */
    const said = [];
    const { t, format } = await voiceOf();
    const store = {
        tanks: { value: [] },
        told: { open: { value: [] } }, account: { value: null },
        connection: { value: live },
        answer: (/** @type {any} */ _, /** @type {any} */ reply) => (said.push(reply), Promise.resolve({ onIt: null })),
    };
    const made = createAbove(/** @type {any} */ ({ t, format, store, toast() {} }), { more() {}, again() {}, hasDetails: () => false });
    const update = (/** @type {any} */ next) => made.update(next, headlineOf(next, live, now), { now, trouble: "", seriesOf: () => null, overall: null });
    update(tank("koi"));
    /** @type {any} */
    const row = made.air.element.querySelector(".air-buttons");
    row.children[0].click();
    update(tank("koi", {}, [answer({ isYou: true })]));
    const second = new Event("click");
    Object.defineProperty(second, "target", { get: () => row.children[0] });
    Object.defineProperty(second, "detail", { get: () => 2 });
    row.dispatchEvent(second);
    same(said, ["onIt"]);
});

Deno.test("a card, a device and a row of the list say who is on it, beside the red", async () => {
    const context = await voiceOf();
    const koi = tank("koi", {}, [answer()]);
    const card = cardModel(context, koi, koi.gauges[0], { now, isCutOff: false, seenAt: now, series: null, isCurrent: false, place: 1, count: 1 });
    same([card.state, card.word, card.isAnswered, card.age], ["low", "Low", true, "Ana is on it"]);
    ok(/Ana is on it since/.test(card.label), card.label);
    const device = deviceModel(context, koi, now, false);
    same([device.shape, device.isAnswered, device.isSnoozed, device.standing], ["answered", true, false, "low"]);
    ok(device.state.endsWith(" · Ana is on it"), device.state);
    const { make } = openPage();
    const root = make("main");
    const alerts = [alarmOf("1", "koi", text(now - 20 * minute)), alarmOf("2", "reef", text(now - 20 * minute))];
    const api = { get: () => Promise.resolve({ data: { items: alerts, next: null } }) };
    const store = createStore({ api, tanks: [tank("koi"), tank("reef")], answers: [answer()] });
    const screen = mountAlerts(root, /** @type {any} */ ({ ...context, store, title() {}, preferences: { has: () => true }, api }));
    await settled();
    const rows = root.having("class", "row-open");
    same(rows.map((/** @type {any} */ row) => [row.shapes[0], /Ana is on it since/.test(row.told)]), [["answered", true], ["low", false]]);
    same([root.having("class", "alerts-open").length, root.having("class", "alerts-answered").length], [2, 1]);
    screen.unmount();
});

Deno.test("the page of an alert has the same buttons, and who is on it in their place", async () => {
    const { make } = openPage();
    const root = make("main");
    const alert = alarmOf("1", "koi", text(now - 20 * minute));
    const api = {
        get: (/** @type {string} */ path) =>
            Promise.resolve({
                data: path === "/alerts/1"
                    ? alert
                    : path.endsWith("/series")
                    ? { unit: "pH", resolution: "raw", step: 60, gap: 900, points: [], statistics: {} }
                    : path.endsWith("/why")
                    ? { steps: [] }
                    : { items: [alert], next: null },
            }),
    };
    /** @type {any[]} */
    const asked = [];
    const store = createStore({
        api,
        tanks: [tank("koi")],
        more: { deviceOf: () => ({ role: "owner" }), answer: (/** @type {any[]} */ ...all) => (asked.push(all), Promise.resolve({ onIt: null })) },
    });
    const screen = mountAlert(root, /** @type {any} */ ({ ...await voiceOf(), store, title() {}, api, explain: String }), { alert: "1" });
    const buttons = () => root.having("class", "alert-snooze").flatMap((/** @type {any} */ row) => row.children.map((/** @type {any} */ one) => one.textContent));
    await settled();
    same(buttons(), ["I'm on it", "Snooze 30 min", "Longer"]);
    root.having("class", "alert-snooze")[0].children[0].click();
    await settled();
    same(asked, [[subject, "onIt"]]);
    store.answers.value = [answer()];
    await settled();
    same([buttons(), root.having("class", "alert-air")[0].hasAttribute("data-alarm")], [["Snooze 30 min", "Longer"], true]);
    ok(/A\|Ana is on it since/.test(root.told), root.told);
    store.answers.value = [answer({ isYou: true })];
    await settled();
    same(buttons(), ["It is solved", "I can't"]);
    screen.unmount();
});
