/** Limits that will be reached, told ahead: what an alert about one says, and how long it goes on. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { episodesOf } from "../../Services/Gateway/Web/water/alerts.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import { isOpen, kindOf, stepShape as shapeOfStep } from "../../Services/Gateway/Web/kinds/index.js";
import { en, es, ja } from "./languages.js";

/** @param {import("../../Services/Gateway/Web/water/alerts.js").Alert} alert */
const shapeOf = (alert) => kindOf(alert).shape(alert);

/** @param {import("../../Services/Gateway/Web/water/alerts.js").Alert} alert */
const isOfRange = (alert) => kindOf(alert).isOfRange ?? false;

/** @param {import("../../Services/Gateway/Web/water/alerts.js").Alert} alert */
const isOfProbe = (alert) => kindOf(alert).isOfProbe ?? false;

/**
 * @param {import("../../Services/Gateway/Web/words/format.js").Voice} voice
 * @param {import("../../Services/Gateway/Web/water/alerts.js").Episode} episode
 * @param {number} now
 */
const besideTold = (voice, episode, now) => kindOf(episode.first).told(voice, episode, { now, isNow: episode.until === null });

/** @typedef {import("../../Services/Gateway/Web/water/alerts.js").Alert} Alert */

const minute = 60_000;
const began = Date.parse("2026-05-01T12:00:00Z");
const outlook = { side: /** @type {const} */ ("low"), value: 6.8, limit: 6, unit: "ppm", decimals: 1, expectedAt: "2026-05-01T13:30:00Z" };

/**
 * @param {string} id
 * @param {Alert['purpose']} purpose
 * @param {number} after How many minutes after the beginning it was decided.
 * @param {Partial<Alert>} [more]
 * @returns {Alert}
 */
function ahead(id, purpose, after, more = {}) {
    const time = new Date(began + after * minute).toISOString();
    return {
        id,
        kind: "ahead",
        purpose,
        state: "delivered",
        title: "",
        text: "",
        decidedAt: time,
        eventTime: time,
        since: new Date(began).toISOString(),
        acceptedAt: null,
        device: { id: "pond", name: "Koi pond" },
        parameter: "dissolved_oxygen",
        side: null,
        unit: null,
        value: null,
        worst: null,
        limit: null,
        checkProbe: false,
        outlook: purpose === "recovery" ? null : outlook,
        ...more,
    };
}

/** @param {'low' | null} side */
function tanks(side) {
    return /** @type {any} */ ([{ id: "pond", gauges: [{ name: "dissolved_oxygen", side, since: null }] }]);
}

Deno.test("it goes on until the limit was expected, or is reached, or is no longer ahead", () => {
    const [told] = episodesOf([ahead("1", "alarm", 0)]);
    equal(isOpen(told, tanks(null), began + 89 * minute), true);
    equal(isOpen(told, tanks(null), began + 90 * minute), false);
    equal(isOpen(told, tanks("low"), began + 80 * minute), false, "the alarm of the limit stands for it");
    const [over] = episodesOf([ahead("2", "recovery", 40), ahead("1", "alarm", 0)]);
    same([isOpen(over, tanks(null), began + 41 * minute), over.until], [false, began + 40 * minute]);
});

Deno.test("it is of the water, and not red: the value is within its limits", () => {
    const alert = ahead("1", "alarm", 0);
    same([isOfProbe(alert), isOfRange(alert), shapeOf(alert)], [false, false, "live"]);
    const step = { time: "", side: null, notification: "none", alert: null, text: "" };
    same([shapeOfStep({ ...step, what: "heading" }), shapeOfStep({ ...step, what: "turned" })], ["live", "fine"]);
});

for (const [language, catalogue] of Object.entries({ en, ja, es })) {
    Deno.test(`${language} says which limit, and when`, () => {
        const t = wordsOf(language, catalogue);
        const context = /** @type {any} */ ({ t, format: createFormat(language, "UTC", t) });
        const told = (/** @type {Alert[]} */ ...alerts) => besideTold(context, episodesOf(alerts)[0], began + 50 * minute);
        const { name, detail, action, facts } = told(ahead("2", "recovery", 40), ahead("1", "alarm", 0));
        equal(name, t("alerts.ahead_falls", { name: t("water.dissolved_oxygen_full") }));
        equal(action, t("alerts.ahead_action"));
        equal(told(ahead("1", "alarm", 0)).name, t("water.dissolved_oxygen_falls"));
        const plain = (/** @type {string} */ text) => text.replaceAll("\u00a0", " ").replaceAll("\u202f", " ");
        const expected = {
            en: ["below 6.0 ppm by 13:30", "6.8 ppm", "12:40"],
            ja: ["13:30頃に6.0 ppmを下回る見込み", "6.8 ppm", "12:40"],
            es: ["por debajo de 6,0 ppm hacia las 13:30", "6,8 ppm", "12:40"],
        };
        same(facts.map(([, value]) => plain(value)), expected[/** @type {'en' | 'ja' | 'es'} */ (language)]);
        equal(plain(detail), `Koi pond · ${expected[/** @type {'en' | 'ja' | 'es'} */ (language)][0]}`);
        const rises = told(ahead("1", "alarm", 0, { outlook: { ...outlook, side: "high", limit: 9 } }));
        equal(rises.name, t("water.dissolved_oxygen_rises"));
        equal(told(ahead("2", "recovery", 40)).name, t("alerts.ahead_of", { name: t("water.dissolved_oxygen_full") }));
    });
}
