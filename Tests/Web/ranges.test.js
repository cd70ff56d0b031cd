import { deepStrictEqual as same, ok, strictEqual as equal } from "node:assert/strict";
import { departureOf, endsOf, isBeyondSensor, shareOf, sideOf } from "../../Services/Gateway/Web/water/ranges.js";

const oxygen = { minimum: 7, maximum: 9, least: 0, greatest: 20, decimals: 1 };
const ammonia = { minimum: null, maximum: 0.25, least: 0, greatest: 0.8, decimals: 2 };

Deno.test("a value equal to a limit is inside", () => {
    equal(sideOf(7, oxygen), null);
    equal(sideOf(9, oxygen), null);
    equal(sideOf(6.9, oxygen), "low");
    equal(sideOf(9.1, oxygen), "high");
});

Deno.test("what the sensor cannot tell apart from a limit is inside", () => {
    equal(sideOf(6.96, oxygen), null);
    equal(sideOf(6.94, oxygen), "low");
    equal(sideOf(9.000000953674316, oxygen), null);
});

Deno.test("no value is on no side and at no place: null is not 0", () => {
    for (const nothing of [null, undefined, NaN]) {
        equal(sideOf(nothing, oxygen), null);
        equal(shareOf(nothing, oxygen), null);
        equal(departureOf(nothing, oxygen), 0);
        equal(isBeyondSensor(nothing, { least: 1, greatest: 14 }), false);
    }
    equal(sideOf(0, oxygen), "low");
});

Deno.test("a place on the ring is between the limits and never beyond", () => {
    equal(shareOf(7, oxygen), 0);
    equal(shareOf(8, oxygen), 0.5);
    equal(shareOf(9, oxygen), 1);
    equal(shareOf(3, oxygen), 0);
    equal(shareOf(30, oxygen), 1);
});

Deno.test("without a minimum the sensor's range ends the drawing, and nothing is low", () => {
    same(endsOf(ammonia), { low: 0, high: 0.25, span: 0.25 });
    equal(sideOf(-1, ammonia), null);
    ok(Math.abs(/** @type {number} */ (shareOf(0.05, ammonia)) - 0.2) < 1e-9);
});

Deno.test("without any limit the sensor's range is the drawing", () => {
    same(endsOf({ minimum: null, maximum: null, least: 1, greatest: 14 }), { low: 1, high: 14, span: 13 });
});

Deno.test("a departure is a share of the span", () => {
    equal(departureOf(8, oxygen), 0);
    ok(Math.abs(departureOf(5.8, oxygen) - 0.6) < 1e-9);
    ok(Math.abs(departureOf(10, oxygen) - 0.5) < 1e-9);
});

Deno.test("beyond the sensor's range the probe is suspect; at its end it is not", () => {
    equal(isBeyondSensor(20, oxygen), false);
    equal(isBeyondSensor(20.1, oxygen), true);
    equal(isBeyondSensor(-0.1, oxygen), true);
});

Deno.test("values are compared as the sensor's steps, in every unit", () => {
    // 8 dKH are kept as 143 ppm; 142 ppm read 8.0 dKH as well, and are too low all the same.
    const scale = { unit: "ppm", decimals: 0, factor: 1 / 17.848, offset: 0, table: null };
    const alkalinity = { minimum: 8, maximum: 11.2, decimals: 1, scale };
    equal(sideOf(143 / 17.848, alkalinity), null);
    equal(sideOf(142 / 17.848, alkalinity), "low");
    equal(sideOf(142.5 / 17.848, alkalinity), null);
    equal(sideOf(200 / 17.848, alkalinity), null);
    equal(sideOf(201 / 17.848, alkalinity), "high");
    // 293.2 K are 20.0 °C, which 20.04 °C are too.
    const kelvin = { unit: "C", decimals: 1, factor: 1, offset: 273.15, table: null };
    const temperature = { minimum: null, maximum: 293.2, decimals: 1, scale: kelvin };
    equal(sideOf(293.15, temperature), null);
    equal(sideOf(293.19, temperature), null);
    equal(sideOf(293.25, temperature), "high");
});
