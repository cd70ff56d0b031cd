/** What is due: what the service says with what was done here laid over it, in a list, a calendar and a line. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { createCare } from "../../Services/Gateway/Web/app/care.js";
import { createOutbox } from "../../Services/Gateway/Web/app/outbox.js";
import { wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import { blank, begun, clashOf, modeOf, monthDayAfter, withDay } from "../../Services/Gateway/Web/screens/care/reminder/plan.js";
import { byDay, countsOf, markOf, monthAfter, movedBy, weeksOf } from "../../Services/Gateway/Web/water/calendar.js";
import { listOf, overlaid, todoOf } from "../../Services/Gateway/Web/water/care.js";
import { careHeadline, datesText, homeLine, itemWords } from "../../Services/Gateway/Web/water/care-words.js";
import { dateOf, dayOf } from "../../Services/Gateway/Web/water/civil.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { NoAnswer, Problem } from "../../Services/Gateway/Web/words/problem.js";
import { en } from "./languages.js";
import { createRows } from "./rows.js";

const now = Date.parse("2026-11-25T14:20:00Z");
const t = wordsOf("en", en);
const voice = { t, format: createFormat("en-GB", "UTC", t) };
const ana = { id: "12", name: "Ana", isMe: false };
const mika = { id: "11", name: "Mika", isMe: true };

/** @param {string} id @param {any} [more] @returns {any} */
const reminder = (id, more = {}) => ({
    id, device: "koi", name: id, activity: "other", rhythm: { every: "day", interval: 7 }, at: "18:00", zone: "UTC", startsOn: "2026-11-01", who: [], version: 1, ...more,
});
/** @param {string} of @param {string} date @param {string} state @param {any} [more] @returns {any} */
const occurrence = (of, date, state, more = {}) => ({
    reminder: of, on: `${date}T18:00`, at: `${date}T18:00:00Z`, state, act: null, by: null, actedAt: null, laterUntil: null, ...more,
});

/** @returns {any} */
const care = () => ({
    zone: "UTC",
    reminders: [reminder("probe", { device: "reef" }), reminder("water", { who: [mika, ana] }), reminder("filter", { rhythm: { afterDone: 14 } }), reminder("test")],
    occurrences: [
        occurrence("probe", "2026-11-22", "late"),
        occurrence("water", "2026-11-18", "missed"),
        occurrence("water", "2026-11-25", "ahead"),
        occurrence("water", "2026-12-02", "ahead"),
        occurrence("filter", "2026-11-28", "ahead"),
        occurrence("test", "2026-11-25", "done", { act: "a1", by: ana, actedAt: "2026-11-25T08:12:00Z" }),
        occurrence("test", "2026-12-02", "ahead"),
    ],
});

/** @param {any} answer */
const keys = (answer) => Object.fromEntries(Object.entries(listOf(answer, now, "UTC")).map(([group, items]) => [group, items.map(({ key }) => key.replace("T18:00", ""))]));
/** @param {any} about @param {any} [more] @returns {any} */
const row = (about, more = {}) => ({ seq: 1, state: "waiting", about, ...more });
const tick = { care: "act", reminder: "water", on: "2026-11-25T18:00", act: "a2", what: "done", at: "2026-11-25T14:20:00Z", until: null };

Deno.test("the list has what is late, what is to be done today, what was done, and the next of all others", () => {
    same(keys(care()), {
        late: ["probe 2026-11-22"],
        today: ["water 2026-11-25"],
        done: ["test 2026-11-25"],
        ahead: ["filter 2026-11-28", "test 2026-12-02"],
    });
    equal(todoOf(null, now, "UTC").length, 0);
});

Deno.test("what the day's end makes late is late here too, without an answer", () => {
    const next = listOf(care(), Date.parse("2026-11-26T00:30:00Z"), "UTC");
    same([...next.late, ...next.today].map(({ key, daysLate }) => [key.split(" ")[0], daysLate]), [["probe", 4], ["water", 1]]);
});

Deno.test("a tick counts at once, waits with its shape, and is taken back", () => {
    const done = overlaid(care(), [row(tick)], now);
    same(keys(done).today, []);
    same(keys(done).done, ["test 2026-11-25", "water 2026-11-25"]);
    const [, item] = listOf(done, now, "UTC").done;
    const words = itemWords(voice, item, { tank: "Koi pond", now });
    same([words.shape, words.when, words.detail], ["pending", "waits", "Koi pond · ticked at 14:20, not sent yet"]);
    const back = overlaid(done, [row({ care: "undo", reminder: "water", act: "a2" })], now);
    same(keys(back), keys(care()));
});

Deno.test("a tick that is refused changes nothing, and says why", () => {
    const refused = overlaid(care(), [row(tick, { state: "refused", refusal: { title: "Gone", detail: "" } })], now);
    same(keys(refused), keys(care()));
    const words = itemWords(voice, listOf(refused, now, "UTC").today[0], { tank: "Koi pond", now, me: "Mika" });
    same([words.shape, words.detail, words.initial], ["fault", "Koi pond".replace(/.*/, "Not taken: Gone"), "M"]);
});

Deno.test("put off is due another day; what is counted from when it was done is planned anew", () => {
    const later = overlaid(care(), [row({ ...tick, what: "later", until: "2026-11-26T18:00:00Z" })], now);
    same(keys(later).today, []);
    same(keys(later).ahead[0], "water 2026-11-25");
    const filtered = overlaid(care(), [row({ ...tick, reminder: "filter", on: "2026-11-28T18:00" })], now);
    same(keys(filtered).ahead.filter((/** @type {string} */ key) => key.startsWith("filter")), ["filter 2026-12-09"]);
});

Deno.test("a reminder that was made here is there with its next times, and one that was ended is not", () => {
    const made = reminder("glass", { rhythm: { every: "week", interval: 1, days: ["saturday"] }, startsOn: "2026-11-25", version: undefined });
    const next = overlaid(care(), [row({ care: "reminder", reminder: made })], now);
    same(keys(next).ahead[0], "filter 2026-11-28");
    equal(next.occurrences.filter(({ reminder }) => reminder === "glass").length, 5);
    const ended = overlaid(next, [row({ care: "end", reminder: "glass" }), row({ care: "end", reminder: "test" })], now);
    equal(ended.occurrences.some(({ reminder }) => reminder === "glass"), false);
    same(keys(ended).done, ["test 2026-11-25"], "what was done stays");
    const kept = overlaid(care(), [row({ care: "end", reminder: "test" }, { state: "refused", refusal: { title: "No", detail: "" } })], now);
    same(keys(kept), keys(care()), "an end that is refused is none");
});

Deno.test("rows of other subjects are let alone", () => {
    equal(overlaid(care(), [row({ journal: "entry" }), row(undefined)], now).occurrences.length, 7);
});

Deno.test("the headline counts, names what is late, and says when it was seen", () => {
    const told = (/** @type {any} */ answer, known = { seenAt: now, isOld: false }) => Object.values(careHeadline(voice, answer, now, known));
    same(told(care()), ["2 to do", "One is 3 days late."]);
    same(told(care(), { seenAt: Date.parse("2026-11-25T14:02:00Z"), isOld: true }), ["2 to do", "Seen at 14:02. Ticks are sent later."]);
    same(told({ zone: "UTC", reminders: [], occurrences: [] }), ["Nothing planned", "A reminder comes once, on its day."]);
    const settled = { ...care(), occurrences: care().occurrences.filter((/** @type {any} */ { state, on }) => state !== "late" && on !== "2026-11-25T18:00") };
    same(told(settled), ["Nothing due today", "Next: filter, in 3 days."]);
    const all = overlaid(care(), [row(tick), row({ ...tick, reminder: "probe", on: "2026-11-22T18:00" })], now);
    same(told(all)[0], "All done");
});

Deno.test("a tank's home has one line: the worst, and how many more", () => {
    same(homeLine(voice, care(), "koi", now), { text: "water today, 18:00", shape: "due", isLate: false });
    same(homeLine(voice, care(), "reef", now), { text: "probe: 3 days late", shape: "late", isLate: true });
    const more = { ...care(), reminders: care().reminders.map((/** @type {any} */ one) => ({ ...one, device: "koi" })) };
    same(homeLine(voice, more, "koi", now)?.text, "probe: 3 days late and 1 more");
    same([homeLine(voice, care(), "other", now), homeLine(voice, null, "koi", now)], [null, null]);
});

Deno.test("a month is whole weeks of the region, with its marks and counts", () => {
    const weeks = weeksOf("2026-11", 1).map((week) => week.map(dateOf));
    same([weeks.length, weeks[0][0], weeks.at(-1)?.[6]], [6, "2026-10-26", "2026-12-06"]);
    same(weeksOf("2027-02", 1).length, 4);
    same(dateOf(weeksOf("2026-11", 7)[0][0]), "2026-11-01");
    const days = byDay(care(), now, "UTC");
    same(days.get(dayOf("2026-11-25"))?.map(markOf), ["done", "due"]);
    same(countsOf(days, "2026-11"), { done: 1, late: 2, due: 2 });
    same([monthAfter("2026-11", 2), monthAfter("2026-01", -1)], ["2027-01", "2025-12"]);
});

Deno.test("keys go from day to day, week to week, month to month", () => {
    const from = (/** @type {string} */ date) => (/** @type {string} */ key) => {
        const day = movedBy(dayOf(date), key, 1);
        return day === null ? null : dateOf(day);
    };
    same(["ArrowLeft", "ArrowDown", "Home", "End", "PageUp", "PageDown", "a"].map(from("2027-01-31")), [
        "2027-01-30", "2027-02-07", "2027-01-25", "2027-01-31", "2026-12-31", "2027-02-28", null,
    ]);
});

Deno.test("the next dates are a sentence, with the zone where it is another", () => {
    const days = ["2026-11-25", "2026-11-28", "2026-12-02"].map(dayOf);
    same(datesText(voice, days, "UTC", days[0]), "Next: today · Saturday 28 · Wednesday 2 December.");
    same(datesText(voice, days.slice(0, 1), "Asia/Tokyo", days[0]), "Next: today. In the time of Tokyo.");
    same(datesText(voice, [], "UTC", days[0]), "No further date.");
});

Deno.test("a form keeps what it cannot show, and begins what it can", () => {
    same(modeOf({ every: "year", interval: 1 }), null);
    same(modeOf({ every: "week", interval: 2, days: ["monday"] }), null);
    same([modeOf({ afterDone: 3 }), modeOf({ every: "month", interval: 1, day: 3 })], ["days", "month"]);
    same(begun("month", "2027-01-31"), { every: "month", interval: 1, day: -1 });
    same(begun("week", "2026-11-25"), { every: "week", interval: 1, days: ["wednesday"] });
    same(withDay({ every: "week", interval: 1, days: ["monday"] }, "monday"), { every: "week", interval: 1, days: ["monday"] });
    same([monthDayAfter(31, 1), monthDayAfter(-1, -1), monthDayAfter(-1, 1), monthDayAfter(1, -1)], [-1, 31, -1, 1]);
    const draft = { ...blank("new", "koi", now, "UTC"), activity: "waterChange" };
    same(clashOf([reminder("w", { activity: "waterChange" })], draft)?.id, "w");
    same(clashOf([reminder("w", { activity: "waterChange", device: "reef" }), reminder("x", { activity: "waterChange", endedAt: "2026" })], draft), null);
});

/** @param {() => any} answer */
function setting(answer) {
    const account = signal(/** @type {any} */ ({ createdAt: "1" }));
    /** @type {Record<string, any>} */
    const kept = {};
    const keep = (/** @type {string} */ key, /** @type {any} */ value) => Promise.resolve(kept[key] = value);
    /** @type {any} */
    const store = { account, connection: signal({ state: "live" }), careNews: signal(0), keep, keepPage: keep, kept: (/** @type {string} */ key) => Promise.resolve(kept[key]) };
    /** @type {any[]} */
    const added = [];
    /** @type {any} */
    const outbox = { waiting: signal([]), listeners: [], add: (/** @type {any} */ deed) => Promise.resolve(added.push(deed)), onAnswer: (/** @type {any} */ listener) => outbox.listeners.push(listener), retry() {}, remove() {} };
    let asked = 0;
    const api = /** @type {any} */ ({ get: () => (asked += 1, Promise.resolve().then(answer).then((data) => ({ data }))) });
    return { care: createCare({ api, store, outbox }), store, kept, added, outbox, asked: () => asked };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

Deno.test("what was seen is there without a connection, with its age, and is read again when there is one", async () => {
    let isAway = false;
    const answer = () => {
        if (isAway) throw new Error("away");
        return care();
    };
    const first = setting(answer);
    await first.care.read();
    equal(first.care.known.value.isOld, false);
    isAway = true;
    await first.care.read();
    same([first.care.known.value.isOld, first.care.known.value.answer?.reminders.length], [true, 4]);
    const next = setting(answer);
    Object.assign(next.kept, first.kept);
    await next.care.read();
    same([next.care.known.value.isOld, next.care.shown.value?.occurrences.length], [true, 7]);
    isAway = false;
    next.store.connection.value = { state: "live" };
    await settled();
    equal(next.care.known.value.isOld, false);
});

Deno.test("a tick is a deed of its reminder; what was answered stays done until it is read again", async () => {
    const world = setting(care);
    await world.care.read();
    const [item] = listOf(/** @type {any} */ (world.care.shown.value), now, "UTC").today;
    const undo = await world.care.act(item, "done", { at: now });
    const [deed] = world.added;
    same([deed.method, deed.path, deed.subject, deed.body], [
        "PUT", `/devices/koi/reminders/water/acts/${deed.id}`, "care water", { what: "done", on: "2026-11-25T18:00", at: new Date(now).toISOString() },
    ]);
    await undo();
    same([world.added[1].method, world.added[1].path], ["DELETE", deed.path]);
    const before = world.asked();
    world.outbox.listeners[0]({ about: deed.about }, { data: {} });
    equal(world.care.shown.value?.occurrences.find(({ act }) => act === deed.id)?.state, "done");
    await settled();
    equal(world.asked(), before + 1);
    world.store.careNews.value += 1;
    await settled();
    equal(world.asked(), before + 2);
});

Deno.test("a change names the version that it knows; a new reminder has none", async () => {
    const world = setting(care);
    await world.care.save(reminder("water", { who: [mika], version: 4 }));
    await world.care.save(reminder("new", { version: undefined }));
    await world.care.save(reminder("new", { version: undefined, who: null }));
    same(world.added.map(({ ifMatch, body }) => [ifMatch, body.who]), [['"v4"', ["11"]], [undefined, []], [undefined, undefined]]);
});

Deno.test("a new reminder that is changed before it was sent, or while it is, is sent as it was meant last", async () => {
    const rows = createRows();
    // As the service takes what is sent: without a version only what it has not heard of.
    const stored = { name: "", version: 0 };
    let isAway = true;
    const put = (/** @type {string} */ _, /** @type {any} */ { name }, /** @type {any} */ { ifMatch }) => {
        if (isAway) return Promise.reject(new NoAnswer(true));
        const [known, next] = [stored.version === 0 ? undefined : `"v${stored.version}"`, { name, version: stored.version + 1 }];
        if (ifMatch !== known) return Promise.reject(new Problem(412, {}, null));
        Object.assign(stored, next);
        return Promise.resolve({ data: next, tag: `"v${next.version}"` });
    };
    const { store } = setting(care);
    const api = /** @type {any} */ ({ put, get: () => Promise.resolve({ data: care() }) });
    const outbox = createOutbox({ api, account: store.account, rows, later: () => {} });
    const { save } = createCare({ api, store, outbox });
    await save(reminder("new", { name: "one", version: undefined }));
    await settled();
    await save(reminder("new", { name: "two", version: undefined }));
    await save(reminder("new", { name: "three", version: undefined }));
    equal(rows.kept.size, 2, "the first may have arrived, the second has not");
    isAway = false;
    await outbox.send();
    same([stored, outbox.waiting.value], [{ name: "three", version: 2 }, []]);
    await save(reminder("new", { name: "four", version: undefined }));
    await settled();
    same([stored, outbox.waiting.value], [{ name: "four", version: 3 }, []], "the form was open since before the answer");
});

Deno.test("the next person sees nothing of the one before", async () => {
    const world = setting(care);
    await world.care.read();
    world.store.account.value = null;
    same([world.care.known.value.answer, world.care.shown.value, world.care.months.value.size], [null, null, 0]);
});
