/** Canonical values in the person's unit, by the scale that the service tells. */

import { strictEqual as equal } from "node:assert/strict";
import { fromCanonical, shown, stepsOf, toCanonical } from "../../Services/Gateway/Web/water/scales.js";
import { rounded } from "../../Services/Gateway/Web/words/numbers.js";
import { tankOf } from "../../Services/Gateway/Web/water/tanks.js";

const line = { unit: "C", decimals: 1, table: null };
const fahrenheit = { ...line, factor: 1.8, offset: 32 };
const kelvin = { ...line, factor: 1, offset: 273.15 };
// Specific gravity 25/25 of salinities from 33 to 36.
const table = { first: 33, step: 1, values: [1.02486, 1.02561, 1.02637, 1.02713] };
const gravity = { unit: "ppt", decimals: 1, factor: null, offset: null, table };

Deno.test("a line is multiplied and moved", () => {
    equal(fromCanonical(25.6, fahrenheit)?.toFixed(4), "78.0800");
    equal(fromCanonical(-40, fahrenheit), -40);
    equal(toCanonical(-40, fahrenheit), -40);
    equal(stepsOf(78.1, fahrenheit), 256);
});

Deno.test("a table is read between its values, and has none beyond them", () => {
    equal(fromCanonical(35, gravity), 1.02637);
    equal(fromCanonical(34.5, gravity)?.toFixed(6), "1.025990");
    equal(toCanonical(1.02561, gravity), 34);
    equal(toCanonical(1.02599, gravity)?.toFixed(6), "34.500000");
    for (const beyond of [32.9, 36.1, NaN]) equal(fromCanonical(beyond, gravity), null, `${beyond}`);
    for (const beyond of [1.02, 1.03, NaN]) equal(toCanonical(beyond, gravity), null, `${beyond}`);
    equal(fromCanonical(33, gravity), 1.02486);
    equal(fromCanonical(36, gravity), 1.02713);
});

Deno.test("rounding is the service's: halves away from zero, without the noise of binary fractions", () => {
    /** @type {[number, number, number][]} */
    const rows = [
        [293.15, 1, 293.2],
        [-39.95, 1, -40],
        [0.05, 1, 0.1],
        [-0.04, 1, 0],
        [1.02635, 4, 1.0264],
        [2.675, 2, 2.68],
        [249.5, 0, 250],
        [78.08, 1, 78.1],
        [1.005, 2, 1.01],
    ];
    for (const [value, decimals, expected] of rows) equal(rounded(value, decimals), expected, `${value}`);
});

Deno.test("a value is shown at the sensor's precision, as alerts tell it", () => {
    equal(shown(25.34, fahrenheit), 25.3 * 1.8 + 32);
    equal(shown(8.45, { ...line, factor: 1, offset: 0 }), 8.5);
    equal(shown(35.04, { ...gravity, decimals: 0 }), 1.02637);
});

Deno.test("a limit in kelvin is the step that is shown as it", () => {
    equal(stepsOf(293.2, kelvin, 1), 200);
    equal(stepsOf(293.3, kelvin, 1), 201);
    equal(stepsOf(233.2, kelvin, 1), -400);
});

Deno.test("a gauge is in the person's unit; without a scale, or beyond it, there is no value", () => {
    const device = /** @type {any} */ ({ id: "reef", name: "Reef", online: true, silentSince: null });
    const salinity = /** @type {any} */ ({ name: "salinity", unit: "SG", decimals: 4, scale: gravity });
    /** @param {number} value @param {object} more */
    const told = (value, more = {}) => {
        const latest = { value, time: "2026-05-01T12:00:00Z", side: null, since: null };
        return tankOf(device, [{ ...salinity, ...more }], new Map([["salinity", latest]])).gauges[0].value;
    };
    equal(told(35.04), 1.02637);
    equal(told(45), null);
    equal(told(35, { scale: undefined }), null);
});
