/** Values by hand: what a kit asks for, what was typed, and what is said of it. */

import { deepStrictEqual as same } from "node:assert/strict";
import { createHandTests } from "../../Services/Gateway/Web/app/hand-tests.js";
import { byHand } from "../../Services/Gateway/Web/kinds/byHand.js";
import { wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import { episodesOf } from "../../Services/Gateway/Web/water/alerts.js";
import { doubtOf, entryOf, handSentence, handText, rowsOf, squaresOf } from "../../Services/Gateway/Web/water/by-hand.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { en } from "./languages.js";
import { alarmOf } from "./store.js";

const t = wordsOf("en", en);
const voice = { t, format: createFormat("en", "UTC", t) };
const now = Date.parse("2026-05-04T12:00:00Z");
const fahrenheit = { unit: "F", decimals: 1, scale: { unit: "C", decimals: 1, factor: 1.8, offset: 32, table: null } };
const ph = { unit: "pH", decimals: 1, scale: { unit: "pH", decimals: 1, factor: 1, offset: 0, table: null } };

/** @param {number} value @param {Partial<import("../../Services/Gateway/Web/water/by-hand.js").HandValue>} [more] */
const valueOf = (value, more = {}) => ({
    parameter: "ph", value, unit: "pH", canonicalValue: value, lower: null, upper: null, choice: null, finding: /** @type {const} */ ("inRange"), ...more,
});
/** @param {number} value @param {Parameters<typeof valueOf>[1]} [more] */
const pointOf = (value, more) => ({ test: "1", at: "2026-05-01T12:00:00Z", kit: null, by: null, value: valueOf(value, more) });
const step = (/** @type {string} */ choice) => ({ choice, value: Number(choice), lower: null, upper: null });
const kit = {
    id: "kit",
    name: "Kit",
    tests: [
        { parameter: "ph", unit: "pH", drop: null, waitMinutes: null, steps: [step("6"), step("7")] },
        { parameter: "ph", unit: "pH", drop: null, waitMinutes: null, steps: [step("8")] },
        { parameter: "alkalinity", unit: "dKH", drop: 1, waitMinutes: 5, steps: [] },
    ],
};

Deno.test("a kit asks in the order of its leaflet, and for each parameter once", () => {
    const rows = rowsOf(kit, []);
    same(rows.map(({ parameter, unit, steps, waitMinutes }) => [parameter, unit, steps.map(({ choice }) => choice), waitMinutes]), [
        ["ph", "pH", ["6", "7", "8"], null],
        ["alkalinity", "dKH", [], 5],
    ]);
    same(rowsOf(null, [{ name: "temperature", unit: "F" }]), [
        { parameter: "temperature", unit: "F", steps: [], waitMinutes: null, isOfKit: false },
    ]);
});

Deno.test("numbers are typed with a comma or a point", () => {
    const [row] = rowsOf(null, [{ name: "ph", unit: "pH" }]);
    same(entryOf(row, "7,4"), { parameter: "ph", value: 7.4, unit: "pH" });
    same(entryOf(row, " 7.4 "), { parameter: "ph", value: 7.4, unit: "pH" });
    same(entryOf(row, ""), null);
    same(entryOf(row, "7.4.1"), null);
});

Deno.test("what is far from the last value is asked about, and what cannot be is refused", () => {
    const latest = { parameter: "temperature", last: null, before: null, expected: { least: 14, greatest: 34 }, possible: { least: -5, greatest: 60 } };
    /** @param {number} value */
    const doubt = (value) => doubtOf({ parameter: "temperature", value, unit: "F" }, latest, fahrenheit);
    same([doubt(75), doubt(57.2), doubt(50), doubt(750)], [null, null, "unlikely", "impossible"]);
    same(doubtOf({ parameter: "temperature", value: 750, unit: "C" }, latest, fahrenheit), null, "another unit is the service's to judge");
    same(doubtOf({ parameter: "ph", choice: "7" }, latest, ph), null);
});

Deno.test("a value by hand is told with its age and beside the probe's", () => {
    same(handSentence(voice, pointOf(7.4), ph, "7.9", now), "By hand 7.4, 3 d ago. The probe says 7.9 now.");
    same(handSentence(voice, pointOf(7.4), ph, "", now), "By hand 7.4, 3 d ago.");
});

Deno.test("a value that was read in another unit is told in the person's, and a step as the card has it", () => {
    const warm = valueOf(25, { parameter: "temperature", unit: "C", canonicalValue: 25 });
    same(handText(voice, warm, fahrenheit).replaceAll("\u00a0", " "), "77.0 °F");
    const nitrogen = valueOf(1.5, { parameter: "nitrate", unit: "mg/L NO3-N", choice: "1-2", canonicalValue: 6.64 });
    same(handText(voice, nitrogen, { ...ph, unit: "ppm" }).startsWith("1–2"), true);
});

Deno.test("squares stand where the values were, in the person's unit", () => {
    same(squaresOf([pointOf(25, { canonicalValue: 25 })], fahrenheit), [{ time: Date.parse("2026-05-01T12:00:00Z"), value: 77 }]);
    same(squaresOf([pointOf(25)], null), []);
});

Deno.test("a test reaches the service under its own id, and what was known stays known without an answer", async () => {
    /** @type {unknown[]} */
    const sent = [];
    /** @type {Map<string, unknown>} */
    const disk = new Map();
    let isThere = true;
    const api = /** @type {any} */ ({
        get: (/** @type {string} */ path) =>
            isThere
                ? Promise.resolve({ data: path === "/kits" ? [kit] : { items: [] } })
                : Promise.reject(new Error("offline")),
    });
    const store = /** @type {any} */ ({
        keep: (/** @type {string} */ key, /** @type {unknown} */ value) => disk.set(key, value),
        kept: (/** @type {string} */ key) => Promise.resolve(disk.get(key)),
    });
    const tests = createHandTests({ api, store }, (deed) => Promise.resolve(sent.push(deed)));
    const test = { at: "2026-05-04T12:00:00Z", kit: null, note: null, values: [], confirmed: false };
    await tests.write("pond", "u-1", test, []);
    const about = { hand: "test", device: "pond", test: { id: "u-1", at: test.at, kit: null, by: null, values: [] } };
    same(sent, [{ id: "u-1", method: "PUT", path: "/devices/pond/tests/u-1", body: test, subject: "test u-1", about }]);
    same(await tests.kits(), [kit]);
    isThere = false;
    same(await tests.kits(), [kit]);
    await tests.latest("pond").then(() => same(true, false), (error) => same(error.message, "offline"));
});

Deno.test("an alert about a value by hand speaks for a day", () => {
    const found = { side: /** @type {const} */ ("high"), unit: "ppm", decimals: 2, value: 0.5, limit: 0.25 };
    const alarm = alarmOf("1", "pond", "2026-05-04T10:00:00Z", { kind: "byHand", parameter: "ammonia", side: null, byHand: found });
    const [episode] = episodesOf([alarm]);
    const about = { now, isNow: true };
    const told = byHand.told(voice, episode, about);
    same(told.name, "Ammonia is high");
    same(told.detail.replaceAll("\u00a0", " "), "pond · by hand 0.50 ppm, your maximum 0.25 ppm");
    same(byHand.shape(alarm), "high");
    same([byHand.isOpen(episode, /** @type {any} */ ({}), undefined, now), byHand.isOpen(episode, /** @type {any} */ ({}), undefined, now + 86_400_000)], [true, false]);
});
