/** Work on the water: what is told of it, when it ends, and what the headline makes of it. */

import { deepStrictEqual as same, equal } from "node:assert/strict";
import { kindOf } from "../../Services/Gateway/Web/kinds/index.js";
import { wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import { cardModel } from "../../Services/Gateway/Web/screens/home/models.js";
import { told as inWords } from "../../Services/Gateway/Web/screens/home/sentences.js";
import { episodesOf } from "../../Services/Gateway/Web/water/alerts.js";
import { headlineOf, standingOf } from "../../Services/Gateway/Web/water/headline.js";
import { departuresOf, piecesOf, runsOf, worksOf } from "../../Services/Gateway/Web/water/runs.js";
import { appended, decoded } from "../../Services/Gateway/Web/water/series.js";
import { canLast, isGoingOn, isStillAfter, minutesOf, workedIn, workOf } from "../../Services/Gateway/Web/water/work.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { de, en, es, ja } from "./languages.js";
import { alarmOf } from "./store.js";

const start = Date.parse("2026-11-26T18:10:00Z");
const told = {
    id: "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e",
    kind: "waterChange",
    from: "2026-11-26T18:10:00Z",
    until: "2026-11-26T18:40:00Z",
    endedAt: null,
    by: { id: "4", name: "Ana", isMe: false },
};
const minute = 60_000;

Deno.test("work is by somebody else, or one's own", () => {
    equal(workOf(told)?.by, "Ana");
    equal(workOf({ ...told, by: { id: "1", name: "Mika", isMe: true } })?.by, null);
    equal(workOf({ ...told, by: null })?.by, null);
    equal(workOf({ ...told, kind: "rescape" })?.kind, "other", "what a newer version names");
    equal(workOf(null), null);
    equal(workOf(undefined), null, "kept by a version before");
});

Deno.test("work ends by its own clock, or when it was finished", () => {
    const work = workOf(told);
    equal(isGoingOn(work, start - 1), false);
    equal(isGoingOn(work, start), true);
    equal(isGoingOn(work, start + 30 * minute - 1), true);
    equal(isGoingOn(work, start + 30 * minute), false);
    equal(isGoingOn(workOf({ ...told, endedAt: "2026-11-26T18:20:00Z" }), start + 15 * minute), false);
});

Deno.test("feeding takes a quarter of an hour, and presses let work last two hours", () => {
    equal(minutesOf("feeding"), 15);
    equal(minutesOf("cleaning"), 30);
    const work = { id: "", kind: /** @type {const} */ ("other"), from: 0, until: 105 * minute, by: null };
    equal(canLast(work), true);
    equal(canLast({ ...work, until: 106 * minute }), false);
});

Deno.test("work that reaches beyond a period is drawn within it", () => {
    same(workedIn([{ from: 0, until: 10 }, { from: 20, until: 30 }], { from: 5, to: 25 }), [{ from: 5, to: 10 }, { from: 20, to: 25 }]);
    same(workedIn([{ from: 0, until: 10 }], { from: 10, to: 25 }), []);
});

/** @param {Partial<import("../../Services/Gateway/Web/water/headline.js").Gauge>} [gauge] */
const tank = (gauge = {}) => ({
    id: "pond-1",
    name: "Koi pond",
    online: true,
    silentSince: null,
    work: workOf(told),
    gauges: [{
        name: "ph",
        unit: "pH",
        colour: "#000000",
        range: { minimum: 6.5, maximum: 8.5, least: 0, greatest: 14, decimals: 1 },
        value: 7.4,
        time: start,
        side: null,
        since: null,
        ...gauge,
    }],
});
const live = { state: /** @type {const} */ ("live"), seenAt: start };

Deno.test("work is the headline, but for water that was outside before", () => {
    equal(headlineOf(tank(), live, start + minute).kind, "working");
    equal(headlineOf(tank({ value: 9, side: "high", since: start - minute }), live, start + minute).kind, "outside");
    equal(headlineOf(tank({ brokenSince: start }), live, start + minute).kind, "working", "a probe out of the water");
    equal(headlineOf(tank({ time: start + 31 * minute }), live, start + 31 * minute).kind, "fine", "it is over");
    equal(headlineOf(tank(), { state: "offline", seenAt: start + minute }, start + 40 * minute).was?.kind, "working");
});

Deno.test("water that is outside is still so for an hour after the work, if it was so when the work ended", () => {
    const work = workOf(told);
    const end = start + 30 * minute;
    equal(isStillAfter(work, start - minute, end - 1), false, "it goes on");
    equal(isStillAfter(work, start - minute, end), true);
    equal(isStillAfter(work, end + minute, end + 2 * minute), true, "the first reading since");
    equal(isStillAfter(work, end + 15 * minute, end + 16 * minute), false, "something else");
    equal(isStillAfter(work, start, end + 60 * minute), false);
    equal(isStillAfter(work, null, end), false);
    equal(isStillAfter(null, start, end), false);
});

/** @param {Record<string, any>} catalogue @param {string} language */
function contextOf(language, catalogue) {
    const t = wordsOf(language, catalogue);
    return /** @type {any} */ ({ t, format: createFormat(language, "UTC", t) });
}

Deno.test("the end of the work is told as it is: still outside, or all back", () => {
    const now = start + 31 * minute;
    const low = tank({ value: 6.1, side: "low", since: start + 30 * minute, time: now });
    const back = tank({ time: now });
    const expected = [
        ["en", en, "pH is still low", "6.1 after the work. Your minimum is 6.5.", "Worked on 18:10–18:40, all back in range."],
        ["de", de, "pH weiter zu niedrig", "6,1 nach der Arbeit. Dein Minimum ist 6,5.", "Daran gearbeitet 18:10–18:40, alles wieder in Ordnung."],
        ["es", es, "El pH sigue bajo", "6,1 tras el trabajo. Tu mínimo es 6,5.", "Mantenimiento 18:10–18:40; todo vuelve a estar dentro de tus límites."],
        ["ja", ja, "pHが低下したまま", "作業後 6.1。下限は 6.5。", "18:10–18:40に作業、すべて設定範囲内に戻りました。"],
    ];
    for (const [language, catalogue, headline, reason, over] of expected) {
        const context = contextOf(/** @type {string} */ (language), /** @type {any} */ (catalogue));
        const say = (/** @type {ReturnType<typeof tank>} */ one) =>
            inWords(context, headlineOf(one, { ...live, seenAt: now }, now), { now, seriesOf: () => null, work: one.work });
        const text = (/** @type {{text: string}[]} */ parts) => parts.map((part) => part.text).join("");
        equal(say(low).headline, headline);
        equal(text(say(low).reason), reason);
        equal(text(say(back).reason), over);
    }
});

Deno.test("an alert after the work says so, and one of the same a day later does not", () => {
    const context = contextOf("en", en);
    const alarm = alarmOf("1", "pond-1", "2026-11-26T18:40:00Z", { parameter: "ph", side: "low", value: 6.1, worst: 6.1, limit: 6.5, unit: "pH", afterWork: true });
    const [episode] = episodesOf([alarm]);
    const now = start + 31 * minute;
    const { name, facts } = kindOf(alarm).told(context, episode, { now, isNow: true, shown: alarm });
    equal(name, "pH is still low");
    same(facts.filter(([label]) => label === "Work on the water").map(([, text]) => text), ["The value is still outside your limits."]);
    const plain = { ...alarm, afterWork: false };
    equal(kindOf(plain).told(context, episodesOf([plain])[0], { now, isNow: true, shown: plain }).name, "pH is low");
});

Deno.test("a card and a list say that somebody works, but for water that is outside", () => {
    const context = contextOf("en", en);
    const model = (/** @type {ReturnType<typeof tank>} */ one, isCutOff = false, now = start + minute) =>
        cardModel(context, one, one.gauges[0], { now, isCutOff, seenAt: now, series: null, isCurrent: false, place: 1, count: 1 });
    const { shape, word, label } = model(tank());
    same([shape, word], ["worked", "Worked on"]);
    equal(label.endsWith("Worked on."), true, label);
    equal(model(tank({ value: 9, side: "high", since: start - minute })).shape, undefined);
    equal(model(tank(), true).shape, undefined, "nobody knows");
    equal(model(tank(), false, start + 30 * minute).shape, undefined, "it is over");
    equal(standingOf(tank({ brokenSince: start }), start + minute).state, "worked");
    equal(standingOf(tank({ value: 9, side: "high", since: start }), start + minute).state, "high");
});

Deno.test("what was measured in work is told apart, and is no departure", () => {
    const point = (/** @type {number} */ minutes, /** @type {number} */ mean, worked = 0) => ({
        time: new Date(start + minutes * minute).toISOString(),
        mean,
        minimum: mean,
        maximum: mean,
        count: worked > 0 ? 0 : 1,
        worked,
    });
    const series = decoded({ unit: "pH", step: 60, gap: 300, points: [point(0, 7.4), point(1, 9.9, 1), point(2, 9.8, 1), point(3, 7.5)] });
    same(worksOf(series, { from: start, to: start + 10 * minute }), [{ from: start + minute, to: start + 3 * minute }]);
    const range = { minimum: 6.5, maximum: 8.5, least: 0, greatest: 14 };
    same(departuresOf(series, range, (value) => Math.max(0, value - 8.5)), []);
});

Deno.test("a line is cut where somebody worked, and no piece is torn from the next", () => {
    const point = (/** @type {number} */ minutes, worked = 0) => ({
        time: new Date(start + minutes * minute).toISOString(),
        mean: minutes,
        minimum: minutes,
        maximum: minutes,
        count: 1,
        worked,
    });
    /** @param {import("../../Services/Gateway/Web/water/series.js").Series} series */
    const pieces = (series) => piecesOf(runsOf(series)[0]).map(({ points, isWorked }) => [isWorked, ...points.map(({ mean }) => mean)]);
    const told = (/** @type {object[]} */ ...points) => decoded({ unit: "pH", step: 0, gap: 300, points });
    same(pieces(told(point(0), point(1), point(2, 1), point(3, 1), point(4), point(5))), [[false, 0, 1], [true, 1, 2, 3, 4], [false, 4, 5]]);
    same(pieces(told(point(0, 1), point(1))), [[true, 0, 1], [false, 1]], "what begins in work");
    same(pieces(told(point(0), point(1, 1))), [[false, 0], [true, 0, 1]], "what goes on");
    const live = { time: start + 2 * minute, value: 2, isWorked: true };
    same(pieces(appended(told(point(0), point(1, 1)), live, start)), [[false, 0], [true, 0, 1, 2]], "what comes meanwhile");
    same(pieces(appended(told(point(0), point(1, 1)), { ...live, isWorked: false }, start)), [[false, 0], [true, 0, 1, 2], [false, 2]]);
});
