/** Questions about a tank: which answers belong together, which species are offered, and what is taken over. */

import { deepStrictEqual as same, ok } from "node:assert/strict";
import { freeText, sourcesText, toldText } from "../../Services/Gateway/Web/screens/questions/reasons.js";
import {
    answered,
    changesOf,
    choicesOf,
    countOf,
    differenceOf,
    gallonsOf,
    groupOf,
    groups,
    mostSpecies,
    nothingSaid,
    reasonsOf,
    speciesFor,
    stepped,
    toggled,
} from "../../Services/Gateway/Web/water/questions.js";

/** @type {import("../../Services/Gateway/Web/water/questions.js").Species[]} */
const species = [
    { id: "carassius-auratus", name: "Goldfish", scientificName: "Carassius auratus", water: "fresh" },
    { id: "corydoras", name: "Corydoras catfish", scientificName: "Corydoras", water: "fresh" },
    { id: "scleractinia", name: "Stony corals", scientificName: "Scleractinia", water: "salt" },
];

/** @type {import("../../Services/Gateway/Web/water/questions.js").Reason} */
const kind = { value: 24, of: "kind", id: "community", name: "Community", sources: ["a"], convention: false };

/**
 * @param {Partial<import("../../Services/Gateway/Web/water/questions.js").Proposal>} [change]
 * @returns {import("../../Services/Gateway/Web/water/questions.js").Proposal}
 */
const proposed = (change) => ({
    parameter: "temperature",
    unit: "C",
    decimals: 1,
    nowMinimum: 12,
    nowMaximum: 24,
    minimum: kind,
    maximum: { ...kind, value: 27 },
    difference: "wider",
    preselected: true,
    followsSeason: false,
    measured: true,
    clash: null,
    ...change,
});

Deno.test("each preset is in one group", () => {
    const all = Object.values(groups).flat();
    same(new Set(all).size, all.length);
    for (const [group, kinds] of Object.entries(groups)) for (const one of kinds) same(groupOf(one), group);
    same([groupOf(null), groupOf("cats")], [null, null]);
});

Deno.test("what made sense only with another answer is no longer said", () => {
    const outside = answered(answered(nothingSaid, { outdoors: true }), { winter: "underIce" });
    same(outside.winter, "underIce");
    same(answered(outside, { outdoors: false }).winter, null);
    const planted = answered(nothingSaid, { plants: true, carbonDioxide: true });
    same([planted.carbonDioxide, answered(planted, { plants: false }).carbonDioxide], [true, null]);
    same([countOf(nothingSaid), countOf(outside), countOf({ ...outside, outdoors: false })], [4, 4, 3]);
});

Deno.test("species of the right water are offered, by either name, and those that are chosen", () => {
    const ids = (/** @type {object} */ answers, search = "", /** @type {import("../../Services/Gateway/Web/water/questions.js").Kept} */ group = null) =>
        speciesFor(species, { ...nothingSaid, ...answers }, group, search).map(({ id }) => id);
    same(ids({ kind: "community" }), ["carassius-auratus", "corydoras"]);
    same(ids({ kind: "reef" }), ["scleractinia"]);
    same(ids({}), species.map(({ id }) => id));
    same(ids({ kind: "pool" }), []);
    same(ids({}, "", "sea"), ["scleractinia"], "sea water, of which kind is not said yet");
    same(ids({}, "", "tropical"), ["carassius-auratus", "corydoras"]);
    same(ids({}, "", "pool"), []);
    same(ids({}, "", "none"), species.map(({ id }) => id));
    same(ids({ kind: "community" }, "AURATUS "), ["carassius-auratus"]);
    same(ids({ kind: "community", species: ["corydoras"] }, "gold"), ["carassius-auratus", "corydoras"]);
});

Deno.test("no more species are chosen than the service takes", () => {
    same(toggled(["a"], "b"), ["a", "b"]);
    same(toggled(["a", "b"], "a"), ["b"]);
    const full = Array.from({ length: mostSpecies }, (_, index) => `s${index}`);
    same(toggled(full, "one-more"), full);
});

Deno.test("a volume is stepped by a tenth of its size", () => {
    same([stepped(180, 1), stepped(180, -1), stepped(12_000, 1), stepped(60, -1)], [190, 170, 13_000, 59]);
    same([stepped(100, -1), stepped(0.1, -1)], [99, 0.1]);
    let litres = 1;
    for (let time = 0; time < 50; time += 1) {
        const next = stepped(litres, 1);
        ok(next > litres);
        litres = next;
    }
    same(gallonsOf(12_000).toFixed(0), "3170");
});

Deno.test("what the person did not choose is not asked for", () => {
    const choices = choicesOf([proposed(), proposed({ parameter: "ph", preselected: false }), proposed({ parameter: "salinity", minimum: null, maximum: null })]);
    same(changesOf(choices), [
        { parameter: "temperature", unit: "C", minimum: 24, maximum: 27 },
        { parameter: "salinity", unit: "C", minimum: null, maximum: null },
    ]);
    same(changesOf(choices.map((choice) => ({ ...choice, isChosen: false }))), []);
});

Deno.test("what the person changes is compared with what holds", () => {
    const [choice] = choicesOf([proposed({ difference: "narrower", minimum: { ...kind, value: 14 }, maximum: { ...kind, value: 22 } })]);
    const after = (/** @type {number | null} */ minimum, /** @type {number | null} */ maximum) => differenceOf({ ...choice, minimum, maximum });
    same(after(14, 22), "narrower");
    same([after(12, 24), after(13, 24), after(12, 23.9)], ["same", "narrower", "narrower"]);
    same([after(11.9, 22), after(14, 24.1), after(null, 22), after(14, null)], ["wider", "wider", "wider", "wider"]);
    const [open] = choicesOf([proposed({ difference: "narrower", nowMinimum: null, nowMaximum: null })]);
    same([differenceOf({ ...open, minimum: null }), differenceOf({ ...open, minimum: null, maximum: null })], ["narrower", "same"]);
});

Deno.test("as long as it is as proposed, the service's word counts", () => {
    // On the screen 24.0 is 24.0, and by the sensor's steps a little more.
    const [choice] = choicesOf([proposed({ difference: "wider", nowMinimum: 24, nowMaximum: 27 })]);
    same(differenceOf(choice), "wider");
});

Deno.test("who asks for both limits is named once", () => {
    same(reasonsOf(proposed()).reasons.length, 1);
    const neon = { ...kind, of: /** @type {const} */ ("species"), id: "paracheirodon-innesi", convention: true };
    const both = reasonsOf(proposed({ maximum: neon }));
    same([both.reasons.map(({ id }) => id), both.isConvention], [["community", "paracheirodon-innesi"], true]);
    same(reasonsOf(proposed({ minimum: null, maximum: null })), { reasons: [], isConvention: false });
});

Deno.test("a row says the first source, and shortly what the limits would have told", () => {
    const t = Object.assign((/** @type {string} */ key, /** @type {object} */ values = {}) => [key, ...Object.values(values)].join(" "), { language: "en" });
    const voice = /** @type {any} */ ({ t });
    same(sourcesText(voice, ["a.org"]), "a.org");
    same(sourcesText(voice, ["a.org", "b.org", "c.org"]), "questions.sources a.org 2");
    const format = { number: (/** @type {number} */ value) => String(value), withUnit: (/** @type {string} */ text, /** @type {string} */ unit) => `${text} ${unit}` };
    const free = { ...kind, freeAmmonia: { most: 0.02, ph: 8.5, temperature: 84.2, unit: "F" } };
    same(freeText(/** @type {any} */ ({ t, format }), free), "questions.free 0.02 ppm 8.5 84.2 F");
    same(freeText(/** @type {any} */ ({ t, format }), kind), "");
    const said = /** @type {any} */ ({ sentence: ["before ", "3 times", " after"], more: [] });
    const answer = (/** @type {object} */ result, tooNew = false) =>
        /** @type {any} */ ({ since: "2026-10-26T00:00:00Z", until: "2026-11-25T00:00:00Z", tooNew, results: [{ alarms: 0, reminders: 0, times: [], ...result }] });
    same(toldText(voice, answer({ alarms: 3 }), said), "questions.told 3 times parameter.month_days 30");
    same(toldText(voice, answer({}), said), "questions.told_quiet parameter.month_days 30");
    same(toldText(voice, answer({ aheadAlarms: 1 }), said), "before 3 times after");
    same(toldText(voice, answer({ alarms: 3 }, true), said), "questions.told_tooNew");
});
