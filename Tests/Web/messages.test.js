/** Messages as they came, and reports of whole hours. */

import { deepStrictEqual as same, equal } from "node:assert/strict";
import { factsOf, valuesText } from "../../Services/Gateway/Web/water/messages.js";
import { coverage, grouped, hour, standing, wholeHours } from "../../Services/Gateway/Web/water/report.js";
import { wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { en } from "./languages.js";

const t = wordsOf("en", en);
const voice = { t, format: createFormat("en", "UTC", t) };
const usual = {
    time: "2026-05-01T12:00:00Z",
    receivedAt: "2026-05-01T12:00:02Z",
    delay: 2,
    late: false,
    receiptTime: false,
    history: false,
    doubtedTime: false,
    inParts: false,
    approved: false,
    deleted: [],
    values: [{ parameter: "ph", value: 7.4, unit: "pH" }, { parameter: "temperature", value: 24.52, unit: "C" }],
};

Deno.test("what came as usual has nothing to be said of it", () => {
    equal(factsOf(voice, usual), "");
    const text = valuesText(voice, usual, (name) => name === "ph" ? 1 : undefined);
    equal(text.includes("7.4") && text.includes("24.52"), true, text);
});

Deno.test("what came otherwise is told", () => {
    equal(factsOf(voice, { ...usual, delay: 3_600, late: true }), "came 1 h later");
    equal(factsOf(voice, { ...usual, delay: -120 }), "its clock is 2 min ahead");
    const facts = factsOf(voice, { ...usual, receiptTime: true, history: true, inParts: true, approved: true, deleted: ["temperature"] });
    equal(facts.split(" · ").length, 5, facts);
});

Deno.test("a report is of whole hours that are over, and no longer than it may be", () => {
    const now = Date.UTC(2026, 4, 1, 12, 30);
    same(wholeHours({ from: now - 90 * 60_000, to: now }, now), { from: Date.UTC(2026, 4, 1, 11), to: Date.UTC(2026, 4, 1, 12) });
    same(wholeHours({ from: now, to: now + hour }, now), { from: Date.UTC(2026, 4, 1, 11), to: Date.UTC(2026, 4, 1, 12) });
    const long = wholeHours({ from: 0, to: now }, now);
    equal((long.to - long.from) / hour, 93 * 24);
});

Deno.test("what was measured of a period is never more than all of it", () => {
    equal(coverage({ hours: 4 }, { hours: 3 }), 0.75);
    equal(coverage({ hours: 4 }, { hours: 5 }), 1);
    equal(coverage({ hours: 0 }, { hours: 0 }), 0);
});

Deno.test("an approval that was withdrawn does not hold", () => {
    const approval = { id: "1", at: usual.time, from: usual.time, until: usual.time, note: null, by: null, withdrawn: null };
    const ended = { ...approval, id: "2", withdrawn: { at: usual.time, by: null, reason: null } };
    const report = /** @type {import("../../Services/Gateway/Web/water/report.js").Report} */ ({ approvals: [approval, ended] });
    same(standing(report), [approval]);
});

Deno.test("a checksum is written in groups of eight", () => equal(grouped("0123456789abcdef01"), "01234567 89abcdef 01"));
