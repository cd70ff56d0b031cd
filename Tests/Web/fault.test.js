/** A probe that reports an error instead of values: in the headline, on its card, and as an alert. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { episodeKey, episodesOf } from "../../Services/Gateway/Web/water/alerts.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { headlineOf, isSilent, stateOf } from "../../Services/Gateway/Web/water/headline.js";
import { tankOf } from "../../Services/Gateway/Web/water/tanks.js";
import { wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import { cardModel } from "../../Services/Gateway/Web/screens/home/models.js";
import { told } from "../../Services/Gateway/Web/screens/home/sentences.js";
import { isOpen, kindOf } from "../../Services/Gateway/Web/kinds/index.js";
import { en, es, ja } from "./languages.js";

/** @param {import("../../Services/Gateway/Web/water/alerts.js").Alert} alert */
const shapeOf = (alert) => kindOf(alert).shape(alert);

/** @param {import("../../Services/Gateway/Web/water/alerts.js").Alert} alert */
const isOfProbe = (alert) => kindOf(alert).isOfProbe ?? false;

/**
 * @param {import("../../Services/Gateway/Web/words/format.js").Voice} voice
 * @param {import("../../Services/Gateway/Web/water/alerts.js").Episode} episode
 * @param {number} now
 */
const besideTold = (voice, episode, now) => kindOf(episode.first).told(voice, episode, { now, isNow: episode.until === null });

/** @typedef {import("../../Services/Gateway/Web/water/alerts.js").Alert} Alert */

const since = "2026-05-01T12:00:00Z";
const began = Date.parse(since);
const now = Date.parse("2026-05-01T13:00:00Z");
const live = { state: /** @type {const} */ ("live"), seenAt: now };

/**
 * @param {string} id
 * @param {Alert['purpose']} purpose
 * @param {Partial<Alert>} [more]
 * @returns {Alert}
 */
function fault(id, purpose, more = {}) {
    return {
        id,
        kind: "fault",
        purpose,
        state: "delivered",
        title: "",
        text: "",
        decidedAt: "2026-05-01T12:01:00Z",
        eventTime: "2026-05-01T12:01:00Z",
        since,
        acceptedAt: null,
        device: { id: "pond", name: "Koi pond" },
        parameter: "ph",
        side: null,
        unit: null,
        value: null,
        worst: null,
        limit: null,
        checkProbe: true,
        ...more,
    };
}

/**
 * @param {string | null} heard When the last pH was measured.
 * @param {object} [more]
 * @returns {import("../../Services/Gateway/Web/water/headline.js").Tank}
 */
function tank(heard, more = {}) {
    const device = { id: "pond", name: "Koi pond", online: true, silentSince: null, brokenProbes: [{ parameter: "ph", since }], ...more };
    const scale = { factor: 1, offset: 0, decimals: 1, stepsPerUnit: 10, formula: "linear" };
    const parameter = (/** @type {string} */ name) => ({ name, unit: "", colour: "red", minimum: 7, maximum: 9, least: 0, greatest: 14, decimals: 1, scale });
    const latest = new Map();
    if (heard !== null) latest.set("ph", { value: 8, time: heard, side: null, since: null });
    latest.set("temperature", { value: 8, time: new Date(now - 8000).toISOString(), side: null, since: null });
    return tankOf(/** @type {any} */ (device), /** @type {any} */ ([parameter("ph"), parameter("temperature")]), latest);
}

Deno.test("a probe is broken until it gives a newer value", () => {
    const state = (/** @type {string | null} */ heard, more = {}) => {
        const known = tank(heard, more);
        return stateOf(known.gauges[0], known, now).state;
    };
    equal(state("2026-05-01T11:59:30Z"), "fault");
    equal(state(null), "fault", "it has never given one");
    equal(state("2026-05-01T12:59:59Z"), "fine");
    equal(state("2026-05-01T11:59:30Z", { brokenProbes: undefined }), "silent", "what was kept may lack it");
    equal(state("2026-05-01T11:59:30Z", { online: false }), "fault");
});

Deno.test("a probe whose value stays the same is broken until the value moves", () => {
    const flat = (/** @type {number} */ flatAt) => ({ brokenProbes: [{ parameter: "ph", since, flatAt }] });
    const [gauge] = tank("2026-05-01T12:59:59Z", flat(8)).gauges;
    same([gauge.brokenSince, gauge.isFlat], [began, true]);
    equal(tank("2026-05-01T12:59:59Z", flat(8.004)).gauges[0].isFlat, true, "less than a sensor tells apart");
    same([tank("2026-05-01T12:59:59Z", flat(7.9)).gauges[0]].map((own) => [own.brokenSince, own.isFlat]), [[null, false]]);
    const known = tank("2026-05-01T12:59:59Z", flat(8));
    equal(stateOf(known.gauges[0], known, now).state, "fault");
    const old = tank("2026-05-01T12:30:00Z", flat(8));
    equal(stateOf(old.gauges[0], old, now).state, "silent", "it comes no more");
    equal(isSilent({ ...old, gauges: [old.gauges[0]] }, now), true);
    const [episode] = episodesOf([fault("1", "alarm", { flat: { value: 8, unit: "pH", decimals: 1 } })]);
    equal(isOpen(episode, [known]), true);
    equal(isOpen(episode, [tank("2026-05-01T12:59:59Z", flat(7.9))]), false);
});

Deno.test("a probe that lies apart from a second one works, and its card says so", () => {
    const differing = { brokenProbes: [], differingProbes: [{ parameter: "ph", since, by: 0.46 }] };
    const known = tank("2026-05-01T12:59:59Z", differing);
    const [gauge] = known.gauges;
    same([gauge.apart?.by, gauge.apart?.since, gauge.brokenSince], [0.46, began, null]);
    equal(stateOf(gauge, known, now).state, "fine");
    equal(headlineOf(known, live, now).kind, "fine");
    const t = wordsOf("en", en);
    const context = /** @type {any} */ ({ t, format: createFormat("en", "UTC", t) });
    const more = { now, isCutOff: false, seenAt: now, series: null, isCurrent: false, place: 1, count: 2 };
    const card = cardModel(context, known, gauge, more);
    same([card.state, card.shape, card.word], ["fine", "fault", t("home.state_differs")]);
    equal(cardModel(context, known, { ...gauge, apart: null }, more).word, "");
    const differs = { by: 0.46, unit: "pH", decimals: 1 };
    const [episode] = episodesOf([fault("1", "alarm", { differs })]);
    equal(isOpen(episode, [known]), true);
    equal(isOpen(episode, [tank("2026-05-01T12:59:59Z", { brokenProbes: [], differingProbes: [] })]), false);
    const told = besideTold(context, episode, now);
    equal(told.name, "Two pH probes differ");
    same(told.facts.map(([name]) => name), ["higher", "differs"].map((name) => t(`alerts.fact_${name}`)));
    const [over] = episodesOf([fault("2", "alarm", { differs: { ...differs, by: -0.5 }, eventTime: "2026-05-01T12:30:00Z" })]);
    same(besideTold(context, over, now).facts[0], [t("alerts.fact_lower"), "0.5"]);
});

Deno.test("it is the headline, before what is silent and after the water", () => {
    const known = tank("2026-05-01T11:59:30Z");
    const { kind, isAlarm, finding } = headlineOf(known, live, now);
    same([kind, isAlarm, finding?.since, finding?.gauge?.name], ["fault", false, began, "ph"]);
    known.gauges[1] = { ...known.gauges[1], value: 99, side: "high", since: began };
    equal(headlineOf(known, live, now).kind, "outside");
    const alone = { ...tank("2026-05-01T11:59:30Z"), gauges: [tank("2026-05-01T11:59:30Z").gauges[0]] };
    equal(isSilent(alone, now), false, "its device is heard");
    equal(headlineOf(alone, live, now).others.length, 0);
});

Deno.test("an alert about it goes on until a value comes", () => {
    const [episode] = episodesOf([fault("2", "reminder"), fault("1", "alarm")]);
    same([episode.first.id, episode.alerts.length], ["1", 2]);
    equal(isOpen(episode, [tank("2026-05-01T11:59:30Z")]), true);
    equal(isOpen(episode, [tank(null)]), true);
    equal(isOpen(episode, [tank("2026-05-01T12:00:30Z")]), false);
    equal(isOpen(episode, []), false, "removed");
    equal(shapeOf(fault("1", "alarm")), "fault");
    same([fault("1", "alarm"), fault("1", "alarm", { kind: "silence" }), fault("1", "alarm", { kind: "range" })].map(isOfProbe), [true, true, false]);
    equal(new Set([fault("1", "alarm"), fault("1", "alarm", { kind: "silence" })].map(episodeKey)).size, 2);
});

for (const [language, catalogue] of Object.entries({ en, ja, es })) {
    Deno.test(`${language} says since when, and what to do`, () => {
        const t = wordsOf(language, catalogue);
        const context = /** @type {any} */ ({ t, format: createFormat(language, "UTC", t) });
        const time = context.format.placed(Date.parse(since), now);
        const alert = (/** @type {Alert[]} */ ...alerts) => besideTold(context, episodesOf(alerts)[0], now);
        const known = alert(fault("2", "recovery", { eventTime: "2026-05-01T12:30:00Z" }), fault("1", "alarm"));
        equal(known.name, t("alerts.fault_of", { name: t("water.ph_full") }));
        equal(known.action, t("alerts.fault_action"));
        equal(alert(fault("1", "alarm")).name, t("water.ph_probe"));
        same(known.facts.map(([, time]) => time), ["12:00", "12:30"]);

        const pond = tank("2026-05-01T11:59:30Z");
        const headline = told(context, headlineOf(pond, live, now), { now, seriesOf: () => null });
        equal(headline.headline, t("water.ph_probe"));
        equal(headline.reason.map(({ text }) => text).join(""), t("home.broken_reason", { time }));
        const card = cardModel(context, pond, pond.gauges[0], { now, isCutOff: false, seenAt: now, series: null, isCurrent: false, place: 1, count: 2 });
        same([card.state, card.word], ["fault", t("home.state_fault")]);

        const flat = { value: 8, unit: "pH", decimals: 1 };
        const still = alert(fault("2", "recovery", { eventTime: "2026-05-01T12:30:00Z", flat }), fault("1", "alarm", { flat }));
        equal(still.name, t("alerts.flat_of", { name: t("water.ph_full") }));
        equal(still.action, t("alerts.flat_action"));
        same(still.facts.map(([name]) => name), ["flatAt", "flat", "moved"].map((name) => t(`alerts.fact_${name}`)));
        same(still.facts.map(([, value]) => value).slice(1), ["12:00", "12:30"]);
        const frozen = tank("2026-05-01T12:59:59Z", { brokenProbes: [{ parameter: "ph", since, flatAt: 8 }] });
        const reason = told(context, headlineOf(frozen, live, now), { now, seriesOf: () => null }).reason;
        equal(reason.map(({ text }) => text).join(""), t("home.flat_reason", { time }));
        equal(card.label.startsWith(t("home.card_broken", { name: t("water.ph"), time, limits: "" }).trim()), true, card.label);
    });
}
