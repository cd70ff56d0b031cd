import { deepStrictEqual as same, ok, strictEqual as equal } from "node:assert/strict";
import { commonGaps, swellsOf, waterlineAt, waterlinePath } from "../../Services/Gateway/Web/drawing/waterline.js";

const period = { from: 0, to: 100 };
const place = { x: (/** @type {number} */ time) => time * 4, width: 400, base: 30, rise: 24, ramp: 26 };

Deno.test("the line is flat where everything stayed inside", () => {
    equal(waterlinePath([], place), "M0 30L400 30");
});

Deno.test("a swell is as high as the worst departure over half the span, 0.35 to 1", () => {
    const height = (/** @type {number} */ worst) => swellsOf([{ from: 10, to: 20, worst }], period)[0].height;
    equal(height(0.01), 0.35);
    equal(height(0.25), 0.5);
    equal(height(3), 1);
});

Deno.test("departures of several parameters that touch are one swell", () => {
    same(swellsOf([{ from: 30, to: 50, worst: 0.1 }, { from: 10, to: 30, worst: 0.4 }], period), [
        { from: 10, to: 50, height: 0.8, isOpen: false },
    ]);
    equal(swellsOf([{ from: 10, to: 20, worst: 0.1 }, { from: 30, to: 50, worst: 0.4 }], period).length, 2);
});

Deno.test("what was before the period is not drawn", () => {
    same(swellsOf([{ from: -20, to: -10, worst: 1 }, { from: -5, to: 5, worst: 1 }], period), [
        { from: 0, to: 5, height: 1, isOpen: false },
    ]);
});

Deno.test("an open swell stays up to the right edge; a cleared one comes down again", () => {
    const open = waterlinePath(swellsOf([{ from: 80, to: 100, worst: 1, isOpen: true }], period), place);
    ok(open.endsWith("L400 6"), open);
    const cleared = waterlinePath(swellsOf([{ from: 40, to: 60, worst: 1 }], period), place);
    ok(cleared.endsWith("L400 30"), cleared);
    ok(cleared.includes(" 6"));
});

Deno.test("the line never goes back", () => {
    const departures = [1, 3, 5, 40, 41, 97].map((from) => ({ from, to: from + 1, worst: 0.3 }));
    const path = waterlinePath(swellsOf(departures, period), place);
    const places = [...path.matchAll(/[ML](-?[\d.]+) [\d.]+|C[\d.]+ [\d.]+ [\d.]+ [\d.]+ ([\d.]+) [\d.]+/g)]
        .map((match) => Number(match[1] ?? match[2]));
    for (let index = 1; index < places.length; index++) ok(places[index] >= places[index - 1] - 0.11, path);
});

Deno.test("the device was not heard when none of its parameters was", () => {
    same(commonGaps([[{ from: 0, to: 10 }, { from: 20, to: 40 }], [{ from: 5, to: 30 }]]), [
        { from: 5, to: 10 },
        { from: 20, to: 30 },
    ]);
    same(commonGaps([[{ from: 0, to: 10 }], []]), []);
    same(commonGaps([]), []);
});

Deno.test("the bead stands on the line, also when the swell has only just begun", () => {
    const lead = { ...place, lead: 30 };
    const open = swellsOf([{ from: 99, to: 100, worst: 1, isOpen: true }], period);
    equal(waterlineAt(open, lead, 380), 6);
    equal(waterlineAt(open, lead, 100), 30);
    const middle = waterlineAt(open, lead, 400 - 30 - 13);
    ok(middle > 6 && middle < 30);
    const cleared = swellsOf([{ from: 40, to: 60, worst: 1 }], period);
    equal(waterlineAt(cleared, place, 200), 6);
    equal(waterlineAt(cleared, place, 380), 30);
    equal(waterlineAt([], place, 380), 30);
});
