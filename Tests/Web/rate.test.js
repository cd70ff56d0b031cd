/** Values that change fast: which changes can be limited, and what an alert about one says. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { episodesOf } from "../../Services/Gateway/Web/water/alerts.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { changesOf } from "../../Services/Gateway/Web/water/limits.js";
import { wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import { marksOf } from "../../Services/Gateway/Web/screens/home/details/graph-model.js";
import { toldOf } from "../../Services/Gateway/Web/screens/home/details/reading.js";
import { marksText } from "../../Services/Gateway/Web/screens/home/details/texts.js";
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
const rose = { by: 3.2, seconds: 2390, value: 27.4, limit: 3, unit: "C", decimals: 1 };
const tanks = /** @type {any} */ ([{ id: "pond", gauges: [] }]);

/**
 * @param {string} id
 * @param {Alert['purpose']} purpose
 * @param {number} after How many minutes after the beginning it was decided.
 * @param {Partial<Alert>} [more]
 * @returns {Alert}
 */
function rate(id, purpose, after, more = {}) {
    const time = new Date(began + after * minute).toISOString();
    return {
        id,
        kind: "rate",
        purpose,
        state: "delivered",
        title: "",
        text: "",
        decidedAt: time,
        eventTime: time,
        since: new Date(began).toISOString(),
        acceptedAt: null,
        device: { id: "pond", name: "Koi pond" },
        parameter: "temperature",
        side: null,
        unit: null,
        value: null,
        worst: null,
        limit: null,
        checkProbe: false,
        change: purpose === "recovery" ? null : rose,
        ...more,
    };
}

/** @param {object} [more] */
function parameter(more = {}) {
    return /** @type {any} */ ({ changePerHour: null, change: { unit: "C", decimals: 1, least: 0.1, greatest: 80 }, ...more });
}

Deno.test("round changes are offered, and the one that holds", () => {
    same(changesOf(parameter()), [0.1, 0.2, 0.3, 0.5, 1, 1.5, 2, 3, 5, 10, 15, 20]);
    same(changesOf(parameter({ changePerHour: 2.7 })).filter((value) => value > 1.5 && value < 5), [2, 2.7, 3]);
    same(changesOf(parameter({ change: { unit: "ppm", decimals: 0, least: 1, greatest: 40 } })), [1, 2, 3, 5, 10]);
    same(changesOf(parameter({ change: undefined })), [], "what was kept here may lack it");
});

Deno.test("an alert about it goes on while its reasons know of no end, or for an hour", () => {
    const [listed] = episodesOf([rate("1", "alarm", 20)]);
    equal(isOpen(listed, tanks, began + 94 * minute), true);
    equal(isOpen(listed, tanks, began + 95 * minute), false);
    const opened = { eventTime: "", decidedAt: "", reason: "opened", notification: "alerted", value: null };
    const [explained] = episodesOf([rate("1", "alarm", 20, { reasons: [opened] })]);
    equal(isOpen(explained, tanks, began + 200 * minute), true);
    const over = { ...opened, reason: "recovered", eventTime: new Date(began + 60 * minute).toISOString() };
    const [ended] = episodesOf([rate("1", "alarm", 20, { reasons: [opened, over] })]);
    same([isOpen(ended, tanks, began + 61 * minute), ended.until], [false, began + 60 * minute]);
    equal(isOpen(episodesOf([rate("2", "recovery", 70), rate("1", "alarm", 20)])[0], tanks, began + 71 * minute), false);
});

Deno.test("it is of the water, and not red: the value may be within its limits", () => {
    const alert = rate("1", "alarm", 20);
    same([isOfProbe(alert), isOfRange(alert), shapeOf(alert)], [false, false, "live"]);
    same([isOfRange({ ...alert, kind: "range" }), isOfRange({ ...alert, kind: undefined }), isOfRange({ ...alert, kind: "fault" })], [true, true, false]);
    const step = { time: "", side: null, notification: "none", alert: null, text: "" };
    same([shapeOfStep({ ...step, what: "changing" }), shapeOfStep({ ...step, what: "steady" })], ["live", "fine"]);
});

for (const [language, catalogue] of Object.entries({ en, ja, es })) {
    Deno.test(`${language} says how much, in what time, and what was wanted`, () => {
        const t = wordsOf(language, catalogue);
        const context = /** @type {any} */ ({ t, format: createFormat(language, "UTC", t) });
        const told = (/** @type {Alert[]} */ ...alerts) => besideTold(context, episodesOf(alerts)[0], began + 90 * minute);
        const { name, detail, action, facts } = told(rate("2", "recovery", 75), rate("1", "alarm", 20));
        equal(name, t("alerts.rate_rises", { name: t("water.temperature_full") }));
        equal(action, t("water.temperature_rateAction"));
        const values = facts.map(([, value]) => value.replaceAll("\u00a0", " ").replaceAll("\u202f", " "));
        const expected = {
            en: ["up 3.2 °C in 40 min", "27.4 °C", "3.0 °C in an hour", "13:15"],
            ja: ["40分で3.2°C上昇", "27.4°C", "1時間に3.0°C", "13:15"],
            es: ["sube 3,2 °C en 40 min", "27,4 °C", "3,0 °C en una hora", "13:15"],
        };
        same(values, expected[/** @type {'en' | 'ja' | 'es'} */ (language)]);
        equal(detail.startsWith("Koi pond · "), true);
        const fell = told(rate("1", "alarm", 20, { change: { ...rose, by: -3.2 } }));
        equal(fell.name, t("water.temperature_fallsFast"));
        equal(fell.facts[0][1].replaceAll("\u00a0", " ").replaceAll("\u202f", " "), t("alerts.change_fell", { value: values[0].match(/3[.,]2 ?°C/)?.[0] ?? "", span: values[0].match(/40 ?(min|分)/)?.[0] ?? "" }));
        equal(told(rate("2", "recovery", 75)).name, t("alerts.rate_of", { name: t("water.temperature_full") }));
    });
}

/** @param {string} id @param {Alert['purpose']} purpose @param {number} after @param {number} by */
const toldChange = (id, purpose, after, by) => toldOf(rate(id, purpose, after, { change: { ...rose, by } }));

Deno.test("on a graph a fast change has marks of its own, with its direction", () => {
    const outside = { ...rate("5", "alarm", 50), kind: /** @type {const} */ ("range"), side: /** @type {const} */ ("low"), change: null };
    const told = [
        toldChange("1", "alarm", 0, 3.2),
        toldChange("2", "alarm", 10, -3.2),
        toldChange("3", "reminder", 40, -4),
        toldOf(rate("4", "recovery", 45)),
        toldOf(outside),
    ];
    const span = /** @type {any} */ ({ length: 12 * 60 * minute });
    same(marksOf({ told, span }).map(({ kind }) => kind), ["rose", "fell", "reminder", "low"]);
    same(marksOf({ told, span: { ...span, length: 7 * 24 * 60 * minute } }).length, 3);
});

for (const [catalogue, language, texts] of /** @type {[any, string, string[]][]} */ ([
    [en, "en", ["Too low: 5.", "Rising fast: 1, 3."]],
    [es, "es", ["Por debajo del mínimo: 5.", "Sube muy rápido: 1, 3."]],
    [ja, "ja", ["下限未満：5。", "急上昇：1、3。"]],
])) {
    Deno.test(`the marks are told to those who do not see them: ${language}`, () => {
        const t = wordsOf(language, catalogue);
        const format = createFormat(language, "UTC", t);
        const marks = /** @type {const} */ ([{ time: 3, kind: "rose" }, { time: 1, kind: "rose" }, { time: 2, kind: "reminder" }, { time: 5, kind: "low" }]);
        same(marksText(/** @type {any} */ ({ t, format }), marks, String), texts);
        same(marksText(/** @type {any} */ ({ t, format }), [], String), []);
    });
}
