/** The journal: what it lists, in which words, what waits on the phone, and how doses and water changes are calculated. */

import { deepStrictEqual as same, equal, ok } from "node:assert/strict";

import { createJournalList } from "../../Services/Gateway/Web/app/journal-list.js";
import { settled, waitingOf } from "../../Services/Gateway/Web/app/journal-rows.js";
import { laidOver as laidOverLists, settled as settledLists } from "../../Services/Gateway/Web/app/inventory.js";
import { proposed } from "../../Services/Gateway/Web/components/entry/proposal.js";
import { versionTag } from "../../Services/Gateway/Web/app/versions.js";
import { clustered } from "../../Services/Gateway/Web/drawing/clusters.js";
import { fitted, heaviest, isHEIC, largest, steps } from "../../Services/Gateway/Web/drawing/photo.js";
import { wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import { afterChanges, doseOf, perLitre, shareOf } from "../../Services/Gateway/Web/water/dosing.js";
import { asLastTime, byDay, laidOver, sent, subjectsOf } from "../../Services/Gateway/Web/water/journal.js";
import { amountText, factsOf, numberText, titleOf } from "../../Services/Gateway/Web/water/journal-text.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { isoDay } from "../../Services/Gateway/Web/words/time.js";
import { de, en, es, ja } from "./languages.js";

/** @typedef {import("../../Services/Gateway/Web/water/journal.js").Entry} Entry */

/** @param {string} language @param {any} catalogue */
function voiceOf(language, catalogue) {
    const t = wordsOf(language, catalogue);
    return { t, format: createFormat(language, "UTC", t) };
}

const english = voiceOf("en", en);
const mika = { id: "1", name: "Mika", isMe: true };
const ana = { id: "2", name: "Ana", isMe: false };

/** @param {string} id @param {Partial<Entry>} [more] @returns {Entry} */
const entryOf = (id, more = {}) => ({
    id,
    device: "pond",
    kind: "fed",
    at: `2026-11-24T12:00:0${id}Z`,
    amount: null,
    unit: null,
    subject: null,
    count: null,
    text: null,
    photos: [],
    by: mika,
    version: 1,
    ...more,
});

/** @param {Partial<Entry>} more */
const title = (more) => titleOf(english, entryOf("1", more)).replaceAll("\u00a0", " ");

Deno.test("doses and water changes", () => {
    equal(doseOf(180, { amount: 5, per: 100 }), 9);
    equal(perLitre(2_000, 12_000).toFixed(2), "0.17");
    equal(afterChanges(20, { share: 0.3, times: 3 }).toFixed(2), "6.86");
    equal(afterChanges(40, { share: 0.5, tap: 5 }), 22.5);
    same([shareOf(20, "percent", null), shareOf(60, "litre", 180), shareOf(60, "litre", null), shareOf(null, "percent", 1)], [0.2, 60 / 180, null, null]);
});

Deno.test("what was done, in words", () => {
    equal(title({ kind: "waterChanged", amount: 20, unit: "percent" }), "Water change 20 %");
    equal(title({ kind: "waterChanged" }), "Water change");
    equal(title({ kind: "dosed", amount: 2_000, unit: "gram", subject: "salt" }), "Dosed salt, 2.0 kg");
    equal(title({ kind: "dosed", amount: 1, unit: "drop", subject: "iodine" }), "Dosed iodine, 1 drop");
    equal(title({ kind: "moved", count: 2, subject: "fish" }), "Moved 2 fish");
    equal(title({ kind: "died", count: 1, subject: "koi" }), "One koi died");
    equal(title({ kind: "died", count: 3, subject: "koi" }), "3 koi died");
    equal(title({ kind: "note", text: "Two koi rub\nSince noon" }), "Two koi rub");
    equal(title({ kind: "tested" }), "Tested by hand");
    equal(title({ kind: "worked", details: { kind: "cleaning" } }), "Work on the water: Cleaning");
    equal(title({ kind: "worked", details: { kind: "other" } }), "Work on the water");
    equal(title({ kind: "worked", details: { kind: "scuba" } }), "Work on the water");
    equal(title({ kind: "done", details: { name: "Clean the filter", activity: "cleanFilter" } }), "Done: Clean the filter");
    equal(title({ kind: "done" }), "Done");
    equal(title({ kind: "launched" }), "launched");
});

Deno.test("what else there is to say, and who it was", () => {
    /** @param {Partial<Entry>} more @param {any} about */
    const facts = (more, about = { volume: null }) => factsOf(english, entryOf("1", more), about).map((fact) => fact.replaceAll("\u00a0", " "));
    same(facts({ subject: "Flakes", amount: 3.5, unit: "gram", by: ana }), ["Flakes", "3.5 g", "Ana"]);
    same(facts({ kind: "dosed", subject: "salt", amount: 2_000, unit: "gram" }, { volume: 12_000, tank: "Pond" }), ["Pond", "for 12,000 L that is 0.17 g/L", "you"]);
    same(facts({ by: null }), ["somebody who is gone"]);
    const worked = { kind: "cleaning", from: "2026-11-24T12:00:00Z", until: "2026-11-24T12:30:00Z", endedAt: "2026-11-24T12:20:00Z" };
    same(facts({ kind: "worked", details: worked }), ["20 min", "you"]);
    same(facts({ kind: "worked", details: { ...worked, endedAt: null } }), ["30 min", "you"]);
    const read = { lower: null, upper: null, choice: null };
    const values = [
        { parameter: "ph", value: 7.4, unit: "pH", canonicalValue: 7.4, ...read },
        { parameter: "ammonia", value: 0.5, unit: "ppm", canonicalValue: 0.5, lower: 0.375, upper: 0.75, choice: "0.5" },
        { parameter: "krypton", value: 1, unit: "ppm", canonicalValue: 1, ...read },
    ];
    same(facts({ kind: "tested", details: { values }, text: "Before feeding." }), [
        "pH: 7.40",
        "Ammonia: 0.5 ppm",
        "krypton: 1.00 ppm",
        "Before feeding.",
        "you",
    ]);
    same(facts({ by: null, version: 0 }), ["you"]);
    same(facts({ kind: "note", text: "a\nb", photos: [/** @type {any} */ ({})] }), ["b", "with a photo", "you"]);
});

Deno.test("numbers have the digits that tell something", () => {
    same([20, 2.5, 0.166, 0.0042, 0].map((value) => numberText(english, value)), ["20", "2.5", "0.17", "0.0042", "0"]);
    same([1_500, 2_040].map((value) => amountText(english, value, "gram").replace("\u00a0", " ")), ["1.5 kg", "2.04 kg"]);
});

Deno.test("every kind has its words in every language", () => {
    for (const [language, catalogue] of Object.entries({ en, es, ja, de })) {
        const voice = voiceOf(language, catalogue);
        for (const kind of ["waterChanged", "fed", "dosed", "cleaned", "added", "moved", "note", "died"]) {
            const text = titleOf(voice, entryOf("1", { kind, subject: "x", count: 2, amount: 5, unit: "gram" }));
            ok(text !== kind && !/[{}]/.test(text), `${language} ${kind}: ${text}`);
        }
    }
});

Deno.test("days, what was done last, and what was named before", () => {
    const items = [
        entryOf("4", { kind: "dosed", subject: "Salt", amount: 2, unit: "gram" }),
        entryOf("3", { kind: "dosed", subject: "salt ", amount: 1, unit: "gram" }),
        entryOf("2", { kind: "waterChanged", amount: 20, unit: "percent", at: "2026-11-23T23:59:00Z" }),
        entryOf("1", { at: "2026-11-23T10:00:00Z" }),
    ];
    same(byDay(items, (time) => isoDay(time, "UTC")).map(({ day, items }) => [day, items.length]), [["2026-11-24", 2], ["2026-11-23", 2]]);
    same(byDay(items, (time) => isoDay(time, "Europe/Vienna")).map(({ items }) => items.length), [3, 1]);
    same(asLastTime(items).map(({ id }) => id), ["4", "2"]);
    same(subjectsOf(items, "dosed"), ["Salt", "salt "]);
    same(sent({ ...items[0], subject: " Salt ", text: "  " }), { kind: "dosed", at: items[0].at, amount: 2, unit: "gram", subject: "Salt", count: null, text: null });
});

/** @param {any} about @param {any} [more] */
const rowOf = (about, more = {}) => ({ about, state: "waiting", refusal: null, ...more });
const photo = { id: "p", type: "image/jpeg", width: 1, height: 1, bytes: 1 };

Deno.test("what waits on the phone is laid over what the service says", () => {
    const known = entryOf("1");
    const rows = [
        rowOf({ journal: "entry", entry: entryOf("2", { version: 0 }) }),
        rowOf({ journal: "photo", id: "2", photo }),
        rowOf({ journal: "small", id: "2" }),
        rowOf({ journal: "entry", entry: entryOf("1", { amount: 3 }) }, { refusal: { title: "No", detail: "Too much." } }),
        rowOf({ journal: "gone", id: "3" }),
        rowOf({ reminder: "something else" }),
    ];
    const { waiting, gone } = waitingOf(rows, (id) => id === "1" ? known : undefined, true);
    same(waiting.map(({ id, waiting, photos, refusal }) => [id, waiting, photos.length, refusal]), [["2", "waiting", 1, undefined], ["1", "refused", 0, "Too much."]]);
    same(laidOver([entryOf("3"), known], waiting, gone).map(({ id, amount }) => [id, amount]), [["2", null], ["1", 3]]);
    equal(waitingOf(rows.slice(0, 1), () => undefined, false).waiting[0].waiting, "saved");
    // What the service does not delete is there again, and says why.
    const kept = waitingOf([rowOf({ journal: "gone", id: "1" }, { refusal: { title: "Only the owner", detail: "" } })], () => known, false);
    same([kept.gone.size, kept.waiting[0].refusal], [0, "Only the owner"]);
});

Deno.test("what the service has answered stands in the list before it is read again", () => {
    const items = [entryOf("1", { photos: [photo] })];
    const answer = entryOf("1", { amount: 3, version: 2 });
    same(settled(items, { journal: "entry", entry: entryOf("1") }, answer), [answer]);
    same(settled(items, { journal: "gone", id: "1" }, null), []);
    equal(settled([], { journal: "entry", entry: entryOf("2", { version: 0 }) }, null)[0].version, 1);
    equal(settled([entryOf("1")], { journal: "photo", id: "1", photo }, null)[0].photos.length, 1);
    equal(settled(items, { journal: "photoGone", id: "1", photo: "p" }, null)[0].photos.length, 0);
});

Deno.test("the list keeps older pages, and shows without a connection what was read before", async () => {
    /** @type {Record<string, any>} */
    const kept = {};
    let isOut = false;
    /** @type {any[]} */
    const asked = [];
    const api = /** @type {any} */ ({
        get(/** @type {string} */ path, /** @type {any} */ { query }) {
            asked.push([path, query.before]);
            if (isOut) return Promise.reject(new Error("no answer"));
            return Promise.resolve({ data: query.before ? { items: [entryOf("1")], next: null } : { items: [entryOf("3"), entryOf("2")], next: "b" } });
        },
    });
    const overlay = signal({ waiting: /** @type {Entry[]} */ ([]), gone: new Set() });
    const make = () =>
        createJournalList({ wanted: { device: null, kind: null }, api, overlay, keep: (key, value) => kept[key] = value, kept: (key) => Promise.resolve(kept[key]) });
    const list = make();
    await list.read();
    await list.readMore();
    await list.read();
    same(list.listed.value.items?.map(({ id }) => id), ["3", "2", "1"]);
    same([list.listed.value.next, asked], [null, [["/journal", null], ["/journal", "b"], ["/journal", null]]]);
    overlay.value = { waiting: [entryOf("4")], gone: new Set(["2"]) };
    same(list.listed.value.items?.map(({ id }) => id), ["4", "3", "1"]);
    isOut = true;
    const later = make();
    await later.read();
    same([later.listed.value.items?.map(({ id }) => id), later.listed.value.isOld], [["4", "3"], true]);
});

Deno.test("lists of what lives and works in a tank, with what waits", () => {
    const koi = { id: "k", species: "Koi", count: 5, since: null, until: null, note: null, version: 2 };
    const told = { livestock: [koi], equipment: [] };
    const rows = [
        { about: { inventory: "livestock", device: "pond", id: "k", item: { ...koi, count: 4 } } },
        { about: { inventory: "equipment", device: "pond", id: "e", item: { id: "e", name: "Pump" } } },
        { about: { inventory: "livestock", device: "other", id: "x", item: { id: "x" } } },
        { about: { inventory: "livestock", device: "pond", id: "k", item: null }, refusal: { title: "No" } },
    ];
    const { livestock, equipment } = laidOverLists(told, rows, "pond");
    same([livestock.map(({ count, version }) => [count, version]), equipment.map(({ name }) => name)], [[[4, 2]], ["Pump"]]);
    same(told.livestock[0].count, 5);
    const answered = settledLists(told, /** @type {any} */ (rows[0].about), { ...koi, count: 4, version: 3 });
    same(answered.livestock.map(({ count, version }) => [count, version]), [[4, 3]]);
    same(settledLists(told, /** @type {any} */ (rows[3].about), null).livestock, []);
});

Deno.test("a change names the version that is known; what is on its way has none", () => {
    same([3, 0, undefined].map(versionTag), ['"v3"', undefined, undefined]);
});

Deno.test("an entry proposes what the list becomes, and changes nothing else", () => {
    const koi = { id: "k", species: "Koi", count: 5, since: null, until: null, note: null };
    const after = (/** @type {string} */ kind, /** @type {string} */ subject, /** @type {number | null} */ count) => {
        const item = proposed([koi, { ...koi, id: "old", species: "Tench", until: "2025-01-01" }], { kind, subject, count }, "2026-11-24");
        return item && [item.id, item.count, item.until, item.since];
    };
    same(after("died", "koi", null), ["k", 4, null, null]);
    same(after("died", "Koi", 7), ["k", 0, "2026-11-24", null]);
    same(after("added", "Koi", 2), ["k", 7, null, null]);
    same(after("added", "Tench", 3), ["", 3, null, "2026-11-24"]);
    same([after("died", "Tench", 1), after("fed", "Koi", 1), after("died", " ", 1)], [null, null, null]);
});

Deno.test("photos are made small in steps: first less quality, then fewer pixels", () => {
    same(fitted({ width: 4_000, height: 3_000 }, largest.photo), { width: 1_600, height: 1_200 });
    same(fitted({ width: 200, height: 100 }, largest.small), { width: 200, height: 100 });
    same(fitted({ width: 10_000, height: 1 }, largest.small), { width: 320, height: 1 });
    const all = [...steps({ width: 4_000, height: 3_000 }, largest.photo)];
    equal(all[0].width, 1_600);
    ok(all[1].width === 1_600 && all[1].quality < all[0].quality, "less quality first");
    ok(all.every(({ width }, index) => index === 0 || width <= all[index - 1].width), "never larger again");
    ok((all.at(-1)?.width ?? 0) <= 200 && all.length < 100, "an end");
    ok([...steps({ width: 90, height: 60 }, largest.small)].length > 0, "a tiny picture is tried, too");
    same(heaviest, { photo: 300_000, small: 40_000 });
});

Deno.test("a photo of an iPhone's own format is known by its brand", () => {
    const head = (/** @type {string} */ text) => new TextEncoder().encode(text);
    same(["\0\0\0\x18ftypheic\0\0", "\0\0\0\x18ftypmif1\0\0", "\0\0\0\x18ftypmp42\0\0", "\xff\xd8\xff", ""].map((text) => isHEIC(head(text))), [true, true, false, false, false]);
});

Deno.test("marks that would lie on each other stand together", () => {
    const places = (/** @type {number[]} */ numbers) => clustered(numbers, (number) => number, 26).map(({ place, items }) => [Math.round(place), items.length]);
    same(places([100, 0, 126]), [[0, 1], [100, 1], [126, 1]]);
    same(places([0, 20, 40]), [[10, 2], [40, 1]]);
    same(places([0, 10, 33]), [[5, 2], [33, 1]]);
    same(places([]), []);
    // However many: afterwards none lies on another.
    const many = clustered(Array.from({ length: 300 }, (_, index) => index * index % 997), (number) => number, 26);
    ok(many.every(({ place }, index) => index === 0 || place - many[index - 1].place >= 26), "apart");
    equal(many.reduce((sum, { items }) => sum + items.length, 0), 300);
});
