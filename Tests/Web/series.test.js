import { deepStrictEqual as same, ok, strictEqual as equal } from "node:assert/strict";
import * as runs from "../../Services/Gateway/Web/water/runs.js";
import * as series from "../../Services/Gateway/Web/water/series.js";
import { trendOf } from "../../Services/Gateway/Web/water/trend.js";
import { departureOf } from "../../Services/Gateway/Web/water/ranges.js";

const minute = 60_000;

/**
 * @param {[number, number][]} readings Minutes and values.
 * @param {Partial<series.Series>} [more]
 * @returns {series.Series}
 */
function messages(readings, more = {}) {
    return {
        ...series.decoded({ unit: "ppm", resolution: "message", step: 0, gap: 300, points: [] }),
        points: readings.map(([at, value]) => ({
            time: at * minute,
            mean: value,
            least: value,
            leastTime: at * minute,
            greatest: value,
            greatestTime: at * minute,
            count: 1,
        })),
        ...more,
    };
}

Deno.test("the server's answer: what is null stays null", () => {
    const found = series.decoded({
        unit: "C",
        resolution: "message",
        step: 0,
        gap: 300,
        points: [
            { time: "2026-05-01T12:00:00Z", mean: 23.4, minimum: 23.4, maximum: 23.4, count: 1 },
            { time: "2026-05-01T12:00:30Z", mean: null, minimum: null, maximum: null, count: 0 },
            { time: null, mean: 1 },
        ],
        statistics: { count: 0, mean: null, minimum: null, secondsOutOfRange: 0 },
    });
    equal(found.points.length, 1);
    equal(found.points[0].least, 23.4);
    equal(found.statistics.mean, null);
    equal(found.statistics.least, null);
    equal(found.gap, 300_000);
});

Deno.test("a line is in pieces where nothing was measured", () => {
    const found = messages([[0, 1], [1, 2], [5, 3], [11, 4], [12, 5]]);
    same(runs.runsOf(found).map((run) => run.length), [3, 2]);
});

Deno.test("points exactly as far apart as the longest gap belong together", () => {
    equal(runs.runsOf(messages([[0, 1], [5, 2]])).length, 1);
    equal(runs.runsOf(messages([[0, 1], [5.001, 2]])).length, 2);
});

Deno.test("no corner of a line lies within a gap, and no piece covers one", () => {
    const found = messages([[0, 1], [2, 2], [30, 3], [31, 4], [60, 5]]);
    const gaps = runs.gapsOf(found, { from: 0, to: 60 * minute });
    same(gaps, [{ from: 2 * minute, to: 30 * minute }, { from: 31 * minute, to: 60 * minute }]);
    for (const run of runs.runsOf(found)) {
        const corners = series.cornersOf(run, found);
        for (const gap of gaps) {
            ok(corners.every((corner) => corner.time <= gap.from || corner.time >= gap.to));
            ok(!(corners[0].time <= gap.from && corners[corners.length - 1].time >= gap.to));
        }
    }
});

Deno.test("silence before the first and after the last reading is a gap too", () => {
    const found = messages([[20, 1], [21, 1]]);
    same(runs.gapsOf(found, { from: 0, to: 60 * minute }), [
        { from: 0, to: 20 * minute },
        { from: 21 * minute, to: 60 * minute },
    ]);
    same(runs.gapsOf(messages([]), { from: 0, to: minute * 60 }), [{ from: 0, to: 60 * minute }]);
});

Deno.test("a short wait for the next reading is no gap", () => {
    same(runs.gapsOf(messages([[1, 1], [3, 1]]), { from: 0, to: 6 * minute }), []);
});

Deno.test("a spike within a stretch is a corner, in the order in which it was measured", () => {
    const found = messages([], {
        step: 10 * minute,
        points: [{
            time: 0,
            mean: 2,
            least: 1,
            leastTime: 8 * minute,
            greatest: 9,
            greatestTime: 3 * minute,
            count: 20,
        }],
    });
    same(series.cornersOf(found.points, found), [
        { time: 3 * minute, value: 9 },
        { time: 8 * minute, value: 1 },
    ]);
    same(series.cornersOf(found.points, found, true), [{ time: 5 * minute, value: 2 }]);
});

Deno.test("a live reading becomes a point, once", () => {
    const found = messages([[0, 1], [1, 2]]);
    const next = series.appended(found, { time: 2 * minute, value: 3 }, 0);
    equal(next.points.length, 3);
    equal(series.appended(next, { time: 2 * minute, value: 3 }, 0), next);
    equal(series.appended(next, { time: 1 * minute, value: 9 }, 0), next);
    equal(found.points.length, 2);
});

Deno.test("a live reading goes into its stretch, and keeps its extremes", () => {
    const found = messages([], {
        step: 5 * minute,
        points: [{ time: 0, mean: 2, least: 1, leastTime: 0, greatest: 3, greatestTime: minute, count: 2 }],
    });
    const next = series.appended(found, { time: 4 * minute, value: 8 }, 0);
    equal(next.points.length, 1);
    same(next.points[0], {
        time: 0,
        mean: 4,
        least: 1,
        leastTime: 0,
        greatest: 8,
        greatestTime: 4 * minute,
        count: 3,
        last: { time: 4 * minute, value: 8 },
    });
    const later = series.appended(next, { time: 7 * minute, value: 5 }, 0);
    same(later.points.map((point) => point.time), [0, 5 * minute]);
});

Deno.test("a line ends at the newest value, not at an extreme of its stretch", () => {
    const point = { time: 0, mean: 8, least: 8, leastTime: 0, greatest: 8.2, greatestTime: minute, count: 2 };
    const fallen = series.appended(messages([], { step: 5 * minute, points: [point] }), { time: 2 * minute, value: 6.4 }, 0);
    const back = series.appended(fallen, { time: 3 * minute, value: 7.2 }, 0);
    same(series.cornersOf(back.points, back), [
        { time: minute, value: 8.2 },
        { time: 2 * minute, value: 6.4 },
        { time: 3 * minute, value: 7.2 },
    ]);
    equal(series.appended(back, { time: 3 * minute, value: 7.2 }, 0), back);
});

Deno.test("what is older than the period is dropped", () => {
    const next = series.appended(messages([[0, 1], [1, 2]]), { time: 2 * minute, value: 3 }, 0.5 * minute);
    same(next.points.map((point) => point.time), [minute, 2 * minute]);
});

Deno.test("within a gap there is nothing to read out", () => {
    const found = messages([[0, 1], [1, 2], [30, 3]]);
    equal(series.pointAt(found, 1.2 * minute)?.mean, 2);
    equal(series.pointAt(found, 15 * minute), null);
    equal(series.pointAt(messages([]), 0), null);
});

Deno.test("the extent is of all extremes, and of nothing it is null", () => {
    same(series.extentOf(messages([[0, 3], [1, 1], [2, 2]])), { least: 1, greatest: 3 });
    same(series.extentOf(messages([[0, 3], [1, 1], [9, 2]]), { from: 2 * minute, to: 9 * minute }), {
        least: 2,
        greatest: 2,
    });
    equal(series.extentOf(messages([])), null);
});

Deno.test("a trend is told when it is clear", () => {
    const range = { minimum: 7, maximum: 9, least: 0, greatest: 20, decimals: 1 };
    /** @param {number} slope */
    const hour = (slope) =>
        messages(Array.from({ length: 61 }, (_, index) => /** @type {[number, number]} */ ([index, 8 + slope * index])));
    const now = 60 * minute;
    equal(trendOf(hour(-0.01), range, now)?.direction, "falling");
    equal(trendOf(hour(0.01), range, now)?.direction, "rising");
    equal(trendOf(hour(0), range, now)?.direction, "steady");
    ok(Math.abs(Number(trendOf(hour(-0.02), range, now)?.change) + 0.3) < 1e-9, "what it comes to in 15 minutes");
    equal(trendOf(messages([[0, 8]]), range, 0), null);
});

Deno.test("a trend is of the last 15 minutes: a value that has been flat for as long falls no more", () => {
    const range = { minimum: 7, maximum: 9, least: 0, greatest: 20, decimals: 1 };
    const found = messages(Array.from({ length: 61 }, (_, index) => /** @type {[number, number]} */ ([index, 8 - 0.05 * Math.min(index, 39)])));
    equal(trendOf(found, range, 60 * minute)?.direction, "steady");
    equal(trendOf(found, range, 40 * minute)?.direction, "falling");
    equal(trendOf(found, range, 80 * minute), null, "nothing is known of now");
    const spike = messages(Array.from({ length: 61 }, (_, index) => /** @type {[number, number]} */ ([index, index === 60 ? 5 : 8])));
    equal(trendOf(spike, range, 60 * minute)?.direction, "steady", "one reading is no trend");
});

Deno.test("gaps are those that the service tells, by what was usual at their time", () => {
    const points = [0, 15, 30, 31, 40].map((at, index) => ({
        time: new Date(at * minute).toISOString(), mean: 8, count: 1, afterGap: index === 4,
    }));
    const found = series.decoded({ step: 0, gap: 300, resolution: "message", points });
    same(runs.runsOf(found).map((run) => run.length), [4, 1]);
    const next = series.appended(found, { time: 47 * minute, value: 8 }, 0);
    same(runs.runsOf(next).map((run) => run.length), [4, 1, 1], "what comes by itself is judged by what is usual now");
});

Deno.test("departures begin and end with the points outside, and never cross a gap", () => {
    const range = { minimum: 7, maximum: 9, least: 0, greatest: 20, decimals: 1 };
    const found = messages([[0, 8], [1, 6.8], [2, 6], [3, 7], [4, 8], [20, 6.5], [40, 6.5]]);
    const departures = runs.departuresOf(found, range, departureOf);
    same(departures.map(({ from, to }) => [from / minute, to / minute]), [[1, 3], [20, 20], [40, 40]]);
    ok(Math.abs(departures[0].worst - 0.5) < 1e-9);
});

Deno.test("what is flagged is told in stretches, failed ones apart from suspect ones", () => {
    const found = messages([[0, 8], [1, 8], [2, 8], [3, 8], [4, 8], [20, 8], [21, 8]]);
    const flags = [1, 3, 3, 4, 2, 4, 4];
    found.points.forEach((point, index) => point.quality = flags[index]);
    same(series.flaggedOf(found).map(({ from, to, isFail }) => [from / minute, to / minute, isFail]), [[1, 2, false], [3, 3, true], [20, 21, true]]);
    found.points.forEach((point, index) => point.quality = index === 4 ? undefined : 4);
    same(series.flaggedOf(found).map(({ from, to }) => [from / minute, to / minute]), [[0, 3], [20, 21]], "what was kept may lack it");
    const hours = { ...found, resolution: "hour", step: 60 * minute, points: [0, 60, 120, 240].map((at, index) => ({ ...found.points[0], time: at * minute, leastTime: at * minute, greatestTime: at * minute, quality: [4, 4, 1, 3][index] })) };
    same(series.flaggedOf(hours).map(({ from, to, isFail }) => [from / minute, to / minute, isFail]), [[0, 120, true], [240, 300, false]], "hours that were found wrong cover all of themselves");
});

Deno.test("flags come with the answer, and stay with a point that a reading is added to", () => {
    const answer = { points: [{ time: "2026-05-01T12:00:00Z", mean: 8, count: 1, quality: 4, finding: "flat" }, { time: "2026-05-01T12:05:00Z", mean: 8 }], step: 300 };
    const found = series.decoded(answer);
    same(found.points.map(({ quality, finding }) => [quality, finding]), [[4, "flat"], [2, null]]);
    const later = series.appended({ ...found, points: [found.points[0]] }, { time: Date.parse("2026-05-01T12:01:00Z"), value: 8 }, 0);
    same([later.points[0].count, later.points[0].quality, later.points[0].finding], [2, 4, "flat"]);
});
