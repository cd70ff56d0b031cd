/** What limits would have told in a month, in words. */

import { deepStrictEqual as same } from "node:assert/strict";
import { wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import { toldOf } from "../../Services/Gateway/Web/water/told-limits.js";
import { en, es, ja } from "./languages.js";

const [since, until] = ["2026-05-01T12:00:00Z", "2026-05-31T12:00:00Z"];
const beyond = { time: until, side: /** @type {const} */ ("low"), change: null, expectedAt: null };
const ahead = { ...beyond, side: /** @type {const} */ ("high"), expectedAt: until };

/**
 * @param {Partial<import("../../Services/Gateway/Web/water/back-test.js").Answer['results'][0]>} result
 * @param {import("../../Services/Gateway/Web/lang/index.js").Words} [t]
 */
function told(result, t = wordsOf("en", en)) {
    return toldOf({ t }, { since, until, tooNew: false, results: [{ alarms: 0, reminders: 0, times: [], ...result }] });
}

/** @param {ReturnType<typeof told>} told */
const text = (told) => told && [told.sentence.join(""), ...told.more].join(" ");

Deno.test("limits that would have told nothing, also of a service that does not count what is told ahead", () => {
    const quiet = "These limits would not have alerted in the last 30 days.";
    same([text(told({ aheadAlarms: 0 })), text(told({}))], [quiet, quiet]);
});

for (const [language, catalogue, several, once] of /** @type {[string, typeof en, string, string][]} */ ([
    ["en", en, "No alarm, but 4 early warnings in the last 30 days.", "No alarm, but 1 early warning in the last 30 days."],
    ["es", es, "Ninguna alerta, pero 4 avisos anticipados en los últimos 30 días.", "Ninguna alerta, pero 1 aviso anticipado en los últimos 30 días."],
    ["ja", ja, "この設定範囲なら、過去30日間の通知は事前のお知らせ4回のみでした。", "この設定範囲なら、過去30日間の通知は事前のお知らせ1回のみでした。"],
])) {
    Deno.test(`whoever would have been warned early is not told that nothing would have come: ${language}`, () => {
        const t = wordsOf(language, catalogue);
        same(told({ aheadAlarms: 4, times: [ahead] }, t), { side: null, sentence: [several, "", ""], more: [] });
        same(text(told({ aheadAlarms: 1 }, t)), once);
        same(told({ alarms: 2, reminders: 1, aheadAlarms: 4 }, t)?.more.length, 2);
    });
}

Deno.test("alarms come first, then what would have come besides", () => {
    const all = told({ alarms: 2, reminders: 3, aheadAlarms: 1, times: [beyond, ahead] });
    same(text(all), "These limits would have alerted 2 times in the last 30 days. 3 reminders more, as it lasted. 1 early warning more.");
    same([all?.sentence[1], all?.side], ["2 times", "low"]);
});

Deno.test("which limit it was is not guessed where the newest alarms are of other kinds", () => {
    same(told({ alarms: 2, aheadAlarms: 9, times: [ahead] })?.side, null);
});

Deno.test("a device that is too new says so, and no answer says nothing", () => {
    const parts = { t: wordsOf("en", en) };
    const answer = { since: null, until, tooNew: true, results: [{ alarms: 0, reminders: 0, aheadAlarms: 4, times: [] }] };
    same(text(toldOf(parts, answer)), parts.t("parameter.month_tooNew"));
    same(toldOf(parts, { ...answer, results: [] }), null);
});
