/** Two courses beside each other: their figures, their distance, and one drawn in the room of the other. */

import { deepStrictEqual as same, ok, strictEqual as equal } from "node:assert/strict";
import { differenceOf, figuresIn, pieces } from "../../Services/Gateway/Web/water/compare.js";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const begin = Date.parse("2026-11-11T00:00:00Z");

/** @param {number[]} values One an hour. @param {any} [more] @returns {any} */
const seriesOf = (values, more = {}) => ({
    unit: "ppm",
    step: hour,
    gap: 2 * hour,
    resolution: "raw",
    points: values.map((value, index) => ({ time: begin + index * hour, mean: value, least: value, leastTime: begin + index * hour, greatest: value, greatestTime: begin + index * hour, count: 1 })),
    statistics: {},
    ...more,
});
/** @param {number} minimum @param {number} maximum */
const rangeOf = (minimum, maximum) => ({ minimum, maximum, least: 0, greatest: 100 });

Deno.test("figures are of a period alone, and of no value in work on the water", () => {
    const series = seriesOf([1, 5, 9, 3]);
    same(figuresIn(series, { from: begin + hour, to: begin + 3 * hour }), { least: 5, mean: 7, swing: 4 });
    series.points[1].isWorked = true;
    same(figuresIn(series, { from: begin, to: begin + 2 * hour }), { least: 1, mean: 1, swing: 0 });
    same(figuresIn(series, { from: begin - day, to: begin }), { least: null, mean: null, swing: null });
});

Deno.test("values that stand for many count as many, and a swing is that of a day", () => {
    const series = seriesOf([2, 8]);
    series.points[0].count = 3;
    equal(figuresIn(series, { from: begin, to: begin + day }).mean, 3.5);
    // Two days of 2 and of 4 swing by 3 on average, whatever lies between them.
    const days = seriesOf(Array.from({ length: 48 }, (_, index) => index < 24 ? index % 2 * 2 : 10 + index % 2 * 4));
    equal(figuresIn(days, { from: begin, to: begin + 2 * day }).swing, 3);
});

Deno.test("a distance is told only of times at which both were measured", () => {
    const first = seriesOf([8, 8, 8, 8]);
    const second = seriesOf([7.5, 7, 7.5, 7.9]);
    const found = differenceOf(first, second, "UTC");
    ok(found);
    equal(Number(found.mean.toFixed(3)), -0.525);
    same([found.widest.hour, Number(found.widest.difference.toFixed(1))], [1, -1]);
    const late = { ...second, points: second.points.map((/** @type {any} */ point) => ({ ...point, time: point.time + 30 * day })) };
    equal(differenceOf(first, late, "UTC"), null);
    // Work on the water of one says nothing about both.
    const worked = { ...second, points: second.points.map((/** @type {any} */ point, /** @type {number} */ index) => ({ ...point, isWorked: index === 1 })) };
    equal(Number(differenceOf(first, worked, "UTC")?.mean.toFixed(3)), -0.367);
    equal(differenceOf(first, second, "Asia/Tokyo")?.widest.hour, 10);
});

Deno.test("a line in the room of another has its own limits on the other's", () => {
    const [line] = pieces(seriesOf([12, 18, 24]), rangeOf(12, 24), rangeOf(7, 9));
    same(line.map(({ value }) => value), [7, 8, 9]);
    same(pieces(seriesOf([12, 18]), null, rangeOf(7, 9))[0].map(({ value }) => value), [12, 18]);
});

Deno.test("a gap of a line breaks it", () => {
    const series = seriesOf([1, 2, 3, 4]);
    for (const point of series.points.slice(2)) point.time += 10 * hour;
    equal(pieces(series, null, rangeOf(0, 9)).length, 2);
});
