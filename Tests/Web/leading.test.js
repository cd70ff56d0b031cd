import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { headlineOf } from "../../Services/Gateway/Web/water/headline.js";
import { largeOf, leadingOf, needsOf } from "../../Services/Gateway/Web/water/leading.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { createKnown } from "../../Services/Gateway/Web/app/known.js";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { told } from "../../Services/Gateway/Web/screens/home/sentences.js";

/** @typedef {import("../../Services/Gateway/Web/water/headline.js").Gauge} Gauge */
/** @typedef {import("../../Services/Gateway/Web/water/headline.js").Tank} Tank */

const now = 1_700_000_000_000;
const minute = 60_000;
const nobody = { chosen: null, held: null, remembered: null };

/**
 * @param {string} name
 * @param {Partial<Gauge>} [more]
 * @returns {Gauge}
 */
function gauge(name, more = {}) {
    return {
        name,
        unit: "ppm",
        colour: "red",
        range: { minimum: 7, maximum: 9, least: 0, greatest: 20, decimals: 1 },
        value: 8,
        time: now - 8000,
        side: null,
        since: null,
        ...more,
    };
}

/**
 * @param {number} number
 * @param {Partial<Gauge>} [oxygen]
 * @param {Gauge[]} [others]
 * @returns {Tank}
 */
function tank(number, oxygen = {}, others = []) {
    const gauges = [gauge("dissolved_oxygen", oxygen), ...others];
    return { id: `tank-${number}`, name: `Tank ${number}`, online: true, silentSince: null, gauges };
}

const outside = { value: 5.8, side: /** @type {const} */ ("low"), since: now - 20 * minute };
const slightly = { value: 6.9, side: /** @type {const} */ ("low"), since: now - 90 * minute };
/** @type {Partial<Gauge>} */
const snoozed = { ...outside, snoozed: { until: now + minute, isAcknowledged: false } };

/** @param {Record<number, Partial<Gauge>>} states */
function twelve(states) {
    return Array.from({ length: 12 }, (_, index) => tank(index + 1, states[index + 1]));
}

Deno.test("until one is chosen the tank in alarm is shown, the worst of them; a choice of this visit holds", () => {
    const tanks = twelve({ 3: outside, 8: slightly });
    equal(leadingOf(tanks, nobody, now)?.id, "tank-3");
    equal(leadingOf(tanks, { ...nobody, remembered: "tank-5" }, now)?.id, "tank-3", "the last visit's choice waits");
    equal(leadingOf(tanks, { ...nobody, chosen: "tank-5" }, now)?.id, "tank-5");
    equal(leadingOf(tanks, { ...nobody, held: "tank-8" }, now)?.id, "tank-8", "nothing moves by itself");
    equal(leadingOf(tanks, { ...nobody, held: "tank-1" }, now)?.id, "tank-3");
    equal(leadingOf(tanks, { ...nobody, chosen: "gone" }, now)?.id, "tank-3");
});

Deno.test("without an alarm, and with one that is snoozed, the tank of the last visit is shown, else the first", () => {
    for (const tanks of [twelve({}), twelve({ 3: snoozed })]) {
        equal(leadingOf(tanks, nobody, now)?.id, "tank-1");
        equal(leadingOf(tanks, { ...nobody, remembered: "tank-5" }, now)?.id, "tank-5");
        equal(leadingOf(tanks, { ...nobody, held: "tank-3", remembered: "tank-5" }, now)?.id, "tank-3", "it has just recovered");
    }
    equal(leadingOf([], nobody, now), null);
});

Deno.test("the headline speaks for all tanks in every language, and for one where it is chosen", async () => {
    const tanks = twelve({ 3: outside, 8: slightly });
    const needs = needsOf(tanks, now);
    same(needs, { count: 2, seenTo: 0, all: 12 });
    same(needsOf(twelve({ 3: snoozed }), now), { count: 0, seenTo: 0, all: 12 });
    equal(needsOf([tank(1, outside)], now), null, "one tank is all there is");
    const overall = needs && { name: "Tank 3", ...needs };
    const headline = headlineOf(tanks[2], { state: "live", seenAt: now }, now);
    const expected = {
        en: ["Oxygen is low in Tank 3", "2 of 12 need you. 5.8 ppm. "],
        es: ["El oxígeno está bajo en Tank 3", "2 de 12 te necesitan. 5,8 ppm. "],
        ja: ["Tank 3：溶存酸素が低下", "12台中2台で対応が必要です。"],
    };
    for (const language of /** @type {const} */ (["en", "es", "ja"])) {
        const t = await loadWords(language);
        const context = /** @type {any} */ ({ t, format: createFormat(language, "UTC", t) });
        const surroundings = { now, seriesOf: () => null };
        const text = told(context, headline, { ...surroundings, overall });
        const reason = text.reason.map((part) => part.text).join("").replaceAll("\u00a0", " ");
        equal(text.headline, expected[language][0]);
        equal(reason.slice(0, expected[language][1].length), expected[language][1]);
        equal(told(context, headline, surroundings).headline, t("water.dissolved_oxygen_low"));
    }
});

Deno.test("what is outside stands large wherever its card is, and stays so while it is outside", () => {
    const other = gauge("nitrate", { value: 9.4, side: "high", since: now });
    const both = tank(1, outside, [gauge("ph"), other]);
    equal(largeOf(both, null, now), "dissolved_oxygen");
    equal(largeOf(both, "nitrate", now), "nitrate");
    equal(largeOf(both, "ph", now), "dissolved_oxygen");
    equal(largeOf(tank(1, {}, [gauge("ph"), other]), "dissolved_oxygen", now), "nitrate");
    equal(largeOf(tank(1), "dissolved_oxygen", now), null);
});

Deno.test("what was chosen in the last visit is remembered, and gives way to an alarm", async () => {
    const device = (/** @type {number} */ number) => ({ id: `tank-${number}`, name: `Tank ${number}`, online: true, silentSince: null });
    const scale = { unit: "ppm", decimals: 1, factor: 1, offset: 0, table: null };
    const parameter = { name: "dissolved_oxygen", unit: "ppm", scale, minimum: 7, maximum: 9, least: 0, greatest: 20, decimals: 1 };
    const value = { value: 5.8, time: new Date().toISOString(), side: "low", since: new Date().toISOString() };
    const devices = [device(1), device(2), device(3)];
    /** @type {Record<string, any>} */
    const kept = {
        chosen: "tank-2",
        overview: { account: { email: "ana@example.org" }, devices: devices.map(({ id }) => id) },
        "tank ": devices.map((device) => ({ device, values: [] })),
        "list ": [{ device: "tank-3", list: { items: [parameter], tag: null } }],
    };
    const read = async (/** @type {string} */ key) => await kept[key];
    const disk = /** @type {any} */ ({ get: read, all: read, set: async () => {}, put: async () => {}, clear: async () => {} });
    const known = createKnown(disk);
    await known.recall();
    equal(known.current.value?.id, "tank-2");
    known.setLatest("tank-3", new Map([["dissolved_oxygen", /** @type {any} */ (value)]]));
    equal(known.current.value?.id, "tank-3");
    known.chosen.value = "tank-1";
    equal(known.current.value?.id, "tank-1");
});
