/** What a person is told regularly: what holds is said, changes hold at once, and a summary is sent where one is asked for. */

import { deepStrictEqual as same, doesNotMatch, match, ok, strictEqual as equal } from "node:assert/strict";
import { createSummary } from "../../Services/Gateway/Web/app/summary.js";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import { mount } from "../../Services/Gateway/Web/screens/summary/summary.js";
import { canCome, choiceOf, dayText, rhythmText } from "../../Services/Gateway/Web/water/summary.js";
import { isBroken, judge, standingOf } from "../../Services/Gateway/Web/water/ways.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { NoAnswer, Problem } from "../../Services/Gateway/Web/words/problem.js";
import { languages } from "./languages.js";
import { openPage } from "./page.js";

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

/** @param {any} [more] @returns {any} */
const weekly = (more = {}) => ({
    rhythm: "weekly",
    weekday: "sunday",
    at: "08:00",
    weeklyNote: "push",
    timeZone: "UTC",
    nextAt: "2099-11-29T08:00:00Z",
    ...more,
});

/** @param {any} [first] @param {string} [language] @param {readonly any[]} [ways] */
async function screen(first = weekly(), language = "en", ways = [{ channel: "webhook", state: "active" }]) {
    const { make } = openPage();
    const t = await loadWords(language);
    /** @type {any[]} */
    const asked = [];
    /** @type {string[]} */
    const toasts = [];
    /** @type {any[]} */
    const sheets = [];
    /** @type {{now: any, fault: unknown}} */
    const state = { now: first, fault: null };
    const answer = async (/** @type {() => any} */ make) => {
        await Promise.resolve();
        if (state.fault) throw state.fault;
        return { data: structuredClone(make()) };
    };
    /** @type {any} */
    const api = {
        get: (/** @type {string} */ path) => answer(() => path === "/endpoints" ? { items: ways } : state.now),
        put: (/** @type {string} */ path, /** @type {any} */ choice) => (asked.push(["PUT", path, choice]), answer(() => state.now = { ...state.now, ...choice })),
        post: (/** @type {string} */ path, /** @type {any} */ _, /** @type {any} */ how) => (asked.push(["POST", path, how]), answer(() => ({ alert: "1" }))),
    };
    const kept = /** @type {Record<string, any>} */ ({});
    const summary = createSummary({ api, keep: (key, value) => kept[key] = value, kept: (key) => Promise.resolve(kept[key]) });
    const context = /** @type {any} */ ({
        t,
        api,
        store: { summary, settings: signal({}) },
        format: createFormat(language, "UTC", t),
        title() {},
        toast: (/** @type {any} */ { text }) => toasts.push(text),
        explain: (/** @type {any} */ error) => error.message,
        sheet: (/** @type {any} */ model) => (sheets.push(model), { close() {} }),
    });
    const root = make("main");
    const mounted = mount(root, context);
    await settled();
    const buttons = () => root.querySelectorAll("button");
    return {
        t,
        root,
        state,
        asked,
        /** The last wish that was sent. */
        wished: () => asked.at(-1)?.[2],
        toasts,
        sheets,
        summary,
        input: root.querySelectorAll("input")[0],
        /** The button that says this. */
        button: (/** @type {string} */ text) => buttons().find((/** @type {any} */ one) => one.told.startsWith(text)),
        end: () => mounted.unmount(),
    };
}

Deno.test("what holds is said; another rhythm is told to the service with the rest of the choice", async () => {
    const { root, t, asked, wished, button, end } = await screen();
    match(root.told, /29 November, 08:00/);
    equal(button(t("summary.weekly")).getAttribute("aria-pressed"), "true");
    button(t("summary.daily")).click();
    await settled();
    same(asked, [["PUT", "/summary", { rhythm: "daily", weekday: "sunday", at: "08:00", weeklyNote: "push" }]]);
    match(root.told, new RegExp(t("summary.text_daily")));
    button(t("summary.note_all")).click();
    await settled();
    equal(wished().weeklyNote, "all");
    end();
});

Deno.test("the day is chosen of all seven; it is asked for weekly summaries alone", async () => {
    const { sheets, wished, button, t, root, end } = await screen();
    button(t("summary.day")).click();
    const choices = sheets[0].body[0].querySelectorAll("button");
    equal(choices.length, 7);
    choices.find((/** @type {any} */ one) => one.told === "Wednesday").click();
    await settled();
    equal(wished().weekday, "wednesday");
    match(root.told, /Wednesday/);
    button(t("summary.daily")).click();
    await settled();
    equal(button(t("summary.day")).parentElement.parentElement.hidden, true);
    end();
});

Deno.test("a time that is typed is told once it rests, or when the screen is left; what is no time is not", async () => {
    const { input, asked, end } = await screen();
    /** @param {string} value */
    const type = (value) => {
        input.focus();
        input.value = value;
        input.dispatchEvent(new Event("input"));
    };
    type("");
    type("07:15");
    equal(asked.length, 0);
    await new Promise((resolve) => setTimeout(resolve, 650));
    same(asked.map(([, , choice]) => choice.at), ["07:15"]);
    type("06:30");
    end();
    await settled();
    same(asked.map(([, , choice]) => choice.at), ["07:15", "06:30"]);
});

Deno.test("a summary is asked for once a press; a refusal is explained", async () => {
    const { button, t, asked, toasts, state, end } = await screen(weekly({ rhythm: "off", nextAt: null }));
    button(t("summary.now")).click();
    await settled();
    same(asked, [["POST", "/summaries", { once: true }]]);
    same(toasts, [t("summary.sent")]);
    state.fault = new Problem(429, { title: "Too many." }, null);
    button(t("summary.now")).click();
    await settled();
    equal(toasts.length, 2);
    ok(toasts[1].includes("Too many"));
    end();
});

Deno.test("what is refused shows again what holds; without a connection what was seen stands with its age", async () => {
    const { state, button, t, summary, toasts, root, end } = await screen();
    state.fault = new Problem(422, { title: "Not so." }, null);
    button(t("summary.off")).click();
    await settled();
    equal(button(t("summary.weekly")).getAttribute("aria-pressed"), "true");
    equal(toasts.length, 1);
    state.fault = new NoAnswer(true);
    await summary.read();
    equal(root.having("class", "summary-age")[0].hidden, false);
    end();
});

for (const language of Object.keys(languages)) {
    Deno.test(`${language}: the screen has its words, and the row in the settings says when a summary comes`, async () => {
        const { root, t, end } = await screen(weekly(), language);
        doesNotMatch(root.told, /undefined|null|NaN|[{}]/);
        end();
        const voice = { t, format: createFormat(language, "UTC", t) };
        equal(rhythmText(voice, weekly({ rhythm: "off" })), t("summary.off"));
        for (const rhythm of ["daily", "weekly"]) doesNotMatch(rhythmText(voice, weekly({ rhythm })), /undefined|[{}]/);
        ok(rhythmText(voice, weekly()).includes(dayText(voice.format.locale, "sunday")));
        for (const key of ["lead_mute", "proof_mute", "state_mute", "text_mute"]) ok(t.has(`ways.${key}`), key);
    });
}

Deno.test("the service is told the choice alone", () => {
    same(Object.keys(choiceOf(weekly())), ["rhythm", "weekday", "at", "weeklyNote"]);
});

Deno.test("a way that confirms nothing any more needs a hand, and does not count as one that works", () => {
    /** @type {any} */
    const fine = { state: "active", lastAcceptedAt: "2026-05-01T12:00:00Z", lastArrivedAt: "2026-05-01T12:00:00Z", lastStatus: 201 };
    const mute = { ...fine, unconfirmedSince: "2026-05-08T12:00:00Z" };
    same([standingOf(fine), standingOf(mute)], ["arrived", "mute"]);
    same([isBroken(fine), isBroken(mute), isBroken({ ...mute, state: "paused" })], [false, true, false]);
    equal(standingOf({ ...mute, state: "failing" }), "refused");
    same([judge([mute]).kind, judge([mute, fine]).kind, judge([mute, fine]).working], ["nothing", "broken", 1]);
});

Deno.test("where no way is in use but calls, the screen says that no summary can come", async () => {
    /** @returns {{channel: string, state: "active" | "paused"}} */
    const way = (/** @type {string} */ channel, /** @type {"active" | "paused"} */ state = "active") => ({ channel, state });
    const call = way("call");
    same([[], [call], [call, way("sms", "paused")], [call, way("sms")]].map((ways) => canCome(ways)), [false, false, false, true]);
    const { root, t } = await screen(weekly(), "en", [call]);
    ok(root.textContent.includes(t("summary.nowhere")));
    ok(!(await screen()).root.textContent.includes(t("summary.nowhere")));
});
