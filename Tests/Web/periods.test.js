/** Limits that change by the clock: what holds, what it is called, and how a graph draws it. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { stretchesOf } from "../../Services/Gateway/Web/components/graph/range.js";
import { heldText, limitsText, periodName } from "../../Services/Gateway/Web/water/period-text.js";
import { heldOf, nextTurn, outermost, rangeAt, stepsOf } from "../../Services/Gateway/Web/water/periods.js";
import { wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { en } from "./languages.js";

const t = wordsOf("en", en);
const voice = { t, format: createFormat("en", "UTC", t) };

const dawn = { from: "04:00", until: "07:00", firstDay: null, lastDay: null, minimum: 4.5, maximum: null, criticalMinimum: 3, criticalMaximum: null };
const winter = { ...dawn, from: null, until: null, firstDay: "11-01", lastDay: "03-15", minimum: 4, maximum: 12 };
const until = "2026-05-01T05:00:00Z";
const oxygen = /** @type {import("../../Services/Gateway/Web/water/tanks.js").Parameter} */ (/** @type {unknown} */ ({
    name: "dissolved_oxygen",
    unit: "mg/L",
    minimum: 6,
    maximum: null,
    decimals: 1,
    periods: [dawn, winter],
    periodZone: "Europe/Madrid",
    held: { period: 0, until, minimum: 4.5, maximum: null, criticalMinimum: 3, criticalMaximum: null },
}));

Deno.test("the limits that hold now stand in place of the plain ones", () => {
    const held = heldOf(oxygen);
    same([held.minimum, held.maximum, held.criticalMinimum], [4.5, null, 3]);
    const plain = { ...oxygen, held: null };
    equal(heldOf(plain), plain);
});

Deno.test("the first turn of all is waited for, and none where none comes", () => {
    const later = { ...oxygen, held: { ...oxygen.held, until: "2026-05-01T09:00:00Z" } };
    equal(nextTurn([/** @type {any} */ (later), oxygen, { ...oxygen, held: null }]), Date.parse(until));
    equal(nextTurn([{ ...oxygen, held: null }]), null);
});

Deno.test("a time is called by its hours and its days", () => {
    equal(periodName(dawn, voice).replaceAll(/\s/g, " "), "04:00 to 07:00");
    equal(periodName(winter, voice), "November 1 to March 15");
    equal(periodName({ ...winter, from: "22:00", until: "06:00" }, voice), "22:00 to 06:00, November 1 to March 15");
    equal(limitsText(oxygen, winter, voice).replaceAll(/\s/g, " "), "4.0–12.0 mg/L");
});

Deno.test("one sentence says what holds now, and until when", () => {
    const told = heldText(oxygen, voice);
    equal(told.startsWith("Now ") && told.includes("until") && told.includes("4.5"), true, told);
    const plain = heldText({ ...oxygen, held: { period: null, until, minimum: 6, maximum: null } }, voice);
    equal(plain.startsWith("The limits above hold until"), true, plain);
    equal(heldText({ ...oxygen, held: null }, voice), "");
});

const steps = stepsOf([
    { from: "2026-05-01T00:00:00Z", until: "2026-05-01T02:00:00Z", period: null, minimum: 6, maximum: null },
    { from: "2026-05-01T02:00:00Z", until, period: 0, minimum: 4.5, maximum: null },
    { from: until, until: "2026-05-02T00:00:00Z", period: null, minimum: 6, maximum: null },
]);
const range = { minimum: 4.5, maximum: null };

Deno.test("a value is judged by the limits of its time", () => {
    equal(rangeAt({ range, steps }, Date.parse("2026-05-01T01:00:00Z")).minimum, 6);
    equal(rangeAt({ range, steps }, Date.parse("2026-05-01T02:00:00Z")).minimum, 4.5);
    equal(rangeAt({ range, steps }, Date.parse(until)).minimum, 6);
    equal(rangeAt({ range }, 0), range);
});

Deno.test("the band steps where the limits do, from edge to edge", () => {
    const day = Date.parse("2026-05-01T00:00:00Z");
    const x = (/** @type {number} */ time) => 10 + (time - day) / 3_600_000;
    const frame = { left: 10, right: 34, top: 0, bottom: 100 };
    const model = /** @type {any} */ ({ range, steps });
    same(stretchesOf(model, frame, x).map(({ left, right, minimum }) => [left, right, minimum]), [[10, 12, 6], [12, 15, 4.5], [15, 34, 6]]);
    same(stretchesOf(/** @type {any} */ ({ range }), frame, x), [{ left: 10, right: 34, minimum: 4.5, maximum: null }]);
});

Deno.test("a graph has room for all limits", () => {
    same(outermost(range, [...steps, { from: 0, to: 1, period: 1, minimum: 4, maximum: 12 }]), { minimum: 4, maximum: 12 });
    same(outermost({ minimum: null, maximum: null }, []), { minimum: null, maximum: null });
});
