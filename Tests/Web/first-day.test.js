import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { beginOf, gapsOf } from "../../Services/Gateway/Web/water/runs.js";
import { decoded } from "../../Services/Gateway/Web/water/series.js";
import { civil } from "../../Services/Gateway/Web/words/time.js";
import { timeTicks } from "../../Services/Gateway/Web/words/ticks.js";
import { shownOf, spans, spanWith } from "../../Services/Gateway/Web/screens/home/details/spans.js";

const minute = 60_000;
const hour = 60 * minute;
const now = Date.parse("2026-05-01T12:00:00Z");
const span = { from: now - 12 * hour, to: now };

/**
 * @param {number[]} minutesAgo When something was measured, oldest first.
 * @param {number | null} linked How many hours ago the device was linked.
 */
function series(minutesAgo, linked) {
    const points = minutesAgo.map((ago) => ({ time: new Date(now - ago * minute).toISOString(), mean: 8 }));
    return decoded({ unit: "ppm", step: 0, gap: 300, points }, linked === null ? null : new Date(now - linked * hour).toISOString());
}

Deno.test("nothing is hatched before the first reading of a device that was linked within the period", () => {
    const young = series([40, 39, 20, 19, 1], 1);
    same(gapsOf(young, span).map(({ from, to }) => [(now - from) / minute, (now - to) / minute]), [[39, 20], [19, 1]]);
    equal(gapsOf(series([40, 39, 1], 48), span)[0].from, span.from, "nobody heard a device that was there");
    equal(gapsOf(series([40, 39, 1], null), span)[0].from, span.from, "what was kept does not tell");
    equal(beginOf(series([], 1), span.from), now - hour);
});

Deno.test("a graph begins with the first reading where that is younger than its span, and never with less than can be looked at", () => {
    same(shownOf(span, series([40, 1], 1)), { from: now - 40 * minute, to: now });
    same(shownOf(span, series([2, 1], 1)), { from: now - 15 * minute, to: now });
    same(shownOf(span, series([40, 1], 48)), span);
    same(shownOf(span, null), span);
});

Deno.test("where the last reading is older than the span, the shortest that reaches it is offered", () => {
    same(spans.slice(0, 3).map(({ name }) => name), ["1h", "3h", "12h"]);
    equal(spanWith(30 * minute, "1h"), null);
    equal(spanWith(2 * hour, "1h"), "3h");
    equal(spanWith(13 * hour, "12h"), "24h");
    equal(spanWith(20 * 24 * hour, "12h"), "30d");
    equal(spanWith(400 * 24 * hour, "12h"), null);
});

Deno.test("an hour and three have marks enough, at minutes people look for", () => {
    for (const hours of [1, 3]) {
        const ticks = timeTicks(now + 7 * minute - hours * hour, now + 7 * minute, "Asia/Kathmandu", 7);
        const minutes = new Set(ticks.map(({ time }) => civil(time, "Asia/Kathmandu").minute));
        equal(ticks.length >= 3 && ticks.length <= 7, true, `${hours} h: ${ticks.length}`);
        for (const one of minutes) equal(one % (hours === 1 ? 10 : 30), 0, `${hours} h: ${one}`);
    }
});
