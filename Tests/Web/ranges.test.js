import { deepStrictEqual as same, ok, strictEqual as equal } from "node:assert/strict";
import { departureOf, endsOf, fromCanonical, isBeyondSensor, shareOf, sideOf } from "../../Services/Gateway/Web/app/ranges.js";

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

Deno.test("canonical values become the person's unit", () => {
    equal(fromCanonical(25.6, "F"), 78.08);
    equal(fromCanonical(-40, "F"), -40);
    equal(fromCanonical(20, "C"), 20);
    equal(fromCanonical(0.25, "ppb"), 250);
});
