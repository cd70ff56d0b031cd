import { deepStrictEqual as same, ok, strictEqual as equal } from "node:assert/strict";
import * as drawing from "../../Services/Gateway/Web/drawing/geometry.js";
import { decoded } from "../../Services/Gateway/Web/water/series.js";

const range = { minimum: 7, maximum: 9 };

Deno.test("a domain holds the data and both limits and 15 % more", () => {
    const { low, high } = drawing.domainOf({ least: 5.8, greatest: 8.6 }, range);
    ok(Math.abs(low - (5.8 - 0.48)) < 1e-9);
    ok(Math.abs(high - (9 + 0.48)) < 1e-9);
});

Deno.test("a domain without data, without limits, or of one value has a height", () => {
    ok(drawing.domainOf(null, range).high > 9);
    same(drawing.domainOf(null, { minimum: null, maximum: null }), { low: 0, high: 1 });
    for (const value of [0, 7, -3]) {
        const { low, high } = drawing.domainOf({ least: value, greatest: value }, { minimum: null, maximum: null });
        ok(low < value && value < high);
    }
});

Deno.test("ticks are multiples of 1, 2 or 5, three to five of them, or two where no such step gives more", () => {
    same(drawing.ticksOf(5.3, 9.5), [6, 7, 8, 9]);
    same(drawing.ticksOf(-0.02, 0.29), [0, 0.1, 0.2]);
    same(drawing.ticksOf(0, 100), [0, 50, 100]);
    for (const [low, high] of [[0, 1], [0.03, 0.031], [-40, 40], [7.02, 7.9], [199, 533], [0, 1000], [11, 25.3]]) {
        const ticks = drawing.ticksOf(low, high);
        ok(ticks.length >= 3 && ticks.length <= 5, `${low} to ${high}: ${ticks}`);
        ok(ticks.every((tick) => tick >= low - 1e-9 && tick <= high + 1e-9));
    }
    same(drawing.ticksOf(1, 14), [5, 10]);
    same(drawing.ticksOf(1, 1), []);
});

Deno.test("a line goes straight from corner to corner", () => {
    const path = drawing.linePath(
        [{ time: 0, value: 1 }, { time: 10, value: 1 }, { time: 10, value: 2 }],
        (time) => time,
        (value) => 100 - value,
    );
    equal(path, "M0 99L10 99L10 98");
    equal(drawing.linePath([{ time: 5, value: 1 }], (time) => time, (value) => value), "M5 1h0");
    equal(drawing.linePath([], (time) => time, (value) => value), "");
});

Deno.test("an envelope is between the least and the greatest", () => {
    const series = decoded({ step: 10, gap: 300, resolution: "hour", points: [] });
    const run = [1, 2].map((number) => ({
        time: number * 10_000,
        mean: 5,
        least: 4,
        leastTime: 0,
        greatest: 6 + number,
        greatestTime: 0,
        count: 2,
    }));
    equal(
        drawing.envelopePath(run, series, (time) => time / 1000, (value) => value),
        "M15 7L25 8L25 4L15 4Z",
    );
});

Deno.test("the alarm's clip begins half a stroke beyond a limit: a line on the limit is inside", () => {
    const y = drawing.scale(5, 10, 100, 0);
    const { above, below } = drawing.outsideOf(range, y, { top: 0, bottom: 100 }, 3);
    same(above, { top: 0, height: 18.5 });
    same(below, { top: 61.5, height: 38.5 });
    // The stroke of a line at the minimum reaches from 58.5 to 61.5.
    ok(below && below.top >= y(7) + 1.5);
});

Deno.test("without a limit nothing is outside of it", () => {
    const y = drawing.scale(5, 10, 100, 0);
    same(drawing.outsideOf({ minimum: null, maximum: null }, y, { top: 0, bottom: 100 }, 3), { above: null, below: null });
    same(drawing.outsideOf({ minimum: 2, maximum: 12 }, y, { top: 0, bottom: 100 }, 3), { above: null, below: null });
});

Deno.test("a sparkline's box is the range, and shrinks so that all data fit", () => {
    const place = { height: 50, box: 38, inset: 3 };
    const inside = drawing.sparkFrame({ least: 7.5, greatest: 8 }, { low: 7, high: 9 }, place);
    same([inside.top, inside.height], [6, 38]);
    const low = drawing.sparkFrame({ least: 5.8, greatest: 8.6 }, { low: 7, high: 9 }, place);
    ok(low.height < 38);
    ok(Math.abs(low.y(5.8) - 47) < 1e-9);
    ok(Math.abs(low.y(7) - (low.top + low.height)) < 1e-9);
    const both = drawing.sparkFrame({ least: 0, greatest: 20 }, { low: 7, high: 9 }, place);
    ok(Math.abs(both.y(0) - 47) < 1e-9 && Math.abs(both.y(20) - 3) < 1e-9);
    const slight = drawing.sparkFrame({ least: 6.99, greatest: 8 }, { low: 7, high: 9 }, place);
    ok(slight.height === 38 && slight.y(6.99) <= 47);
});

Deno.test("a ring is open below", () => {
    const start = drawing.ringPlace(48, 41.5, 0);
    const end = drawing.ringPlace(48, 41.5, 1);
    ok(Math.abs(start.y - end.y) < 1e-9 && start.y > 77 && start.x < 20 && end.x > 76);
    const top = drawing.ringPlace(48, 41.5, 0.5);
    ok(Math.abs(top.x - 48) < 1e-9 && Math.abs(top.y - 6.5) < 1e-9);
});
