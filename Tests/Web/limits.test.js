/** The values of a limit: what the sensor tells apart, never such that minimum and maximum cross. */

import { nearest, valuesOf } from "../../Services/Gateway/Web/water/limits.js";

/** @returns {import("../../Services/Gateway/Web/water/tanks.js").Parameter} */
function temperature(changes = {}) {
    return {
        name: "temperature",
        unit: "C",
        units: ["C", "F"],
        minimum: 12,
        maximum: 22.6,
        hasMinimum: true,
        least: -40,
        greatest: 40,
        decimals: 1,
        scale: { unit: "C", decimals: 1, factor: 1, offset: 0, table: null },
        colour: "red",
        position: 0,
        version: 1,
        ...changes,
    };
}

/**
 * @param {unknown} one
 * @param {unknown} other
 */
function assertSame(one, other) {
    const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
    if (a !== b) throw new Error(`${a} is not ${b}`);
}

Deno.test("the minimum stops one step below the maximum, as in the manual", () => {
    const values = valuesOf(temperature(), "minimum");
    assertSame([values[0], values.at(-1)], [-40, 22.5]);
});

Deno.test("the maximum begins one step above the minimum", () => {
    const values = valuesOf(temperature(), "maximum");
    assertSame([values[0], values.at(-1)], [12.1, 40]);
});

Deno.test("every value is a step apart, without the noise of binary fractions", () => {
    const values = valuesOf(temperature(), "minimum");
    assertSame(values.length, 626);
    for (const [index, value] of values.entries()) assertSame(value, Number((-40 + index / 10).toFixed(1)));
});

Deno.test("without the other limit the sensor's range is the bound", () => {
    assertSame(valuesOf(temperature({ maximum: null }), "minimum").at(-1), 39.9);
    assertSame(valuesOf(temperature({ minimum: null }), "maximum")[0], -39.9);
});

Deno.test("steps in Fahrenheit are those of the sensor", () => {
    const scale = { unit: "C", decimals: 1, factor: 1.8, offset: 32, table: null };
    const parameter = temperature({ unit: "F", minimum: 53.6, maximum: 75.2, least: -40, greatest: 104, scale });
    const values = valuesOf(parameter, "minimum");
    assertSame([values[0], values.at(-2), values.at(-1)], [-40, 74.8, 75]);
    assertSame(values.length, 640);
});

Deno.test("a unit that is coarser than the sensor has each of its numbers once, and none that crosses", () => {
    const scale = { unit: "ppm", decimals: 0, factor: 1 / 17.848, offset: 0, table: null };
    const alkalinity = { unit: "dKH", decimals: 1, least: 0, greatest: 56, minimum: 8, maximum: 11.2, scale };
    const minima = valuesOf(temperature(alkalinity), "minimum");
    assertSame([minima[0], minima.length, minima.at(-1)], [0, 112, 11.1]);
    for (const [index, value] of minima.entries()) assertSame(value, Number((index / 10).toFixed(1)));
    assertSame(valuesOf(temperature(alkalinity), "maximum")[0], 8.1);
});

Deno.test("a table's values are offered with the unit's digits", () => {
    const table = { first: 0, step: 0.1, values: [1, 1.000076, 1.000152, 1.000228, 1.000304, 1.00038, 1.000456] };
    const scale = { unit: "ppt", decimals: 1, factor: null, offset: null, table };
    const gravity = { unit: "SG", decimals: 4, least: 1, greatest: 1.0004, minimum: null, maximum: null, scale };
    assertSame(valuesOf(temperature(gravity), "maximum"), [1.0001, 1.0002, 1.0003, 1.0004]);
});

Deno.test("a number that was typed leads to the nearest value, within the bounds", () => {
    const values = valuesOf(temperature(), "minimum");
    assertSame(values[nearest(values, 12.34)], 12.3);
    assertSame(values[nearest(values, 99)], 22.5);
    assertSame(values[nearest(values, -99)], -40);
});

Deno.test("the nearest value is found where they are not equally far apart", () => {
    const values = [4.1, 4.3, 4.5, 4.6, 4.8];
    assertSame([4.2, 4.39, 4.56, 4.69, 4.71].map((value) => values[nearest(values, value)]), [4.3, 4.3, 4.6, 4.6, 4.8]);
    assertSame([0, 9].map((value) => nearest(values, value)), [0, 4]);
    assertSame(nearest([7], 3), 0);
});

Deno.test("critical limits lie beyond the others, and the others stop before them", () => {
    const critical = temperature({ criticalMinimum: 5, criticalMaximum: 30 });
    for (const [limit, first, last] of /** @type {const} */ ([
        ["criticalMinimum", -40, 11.9],
        ["minimum", 5.1, 22.5],
        ["maximum", 12.1, 29.9],
        ["criticalMaximum", 22.7, 40],
    ])) {
        const values = valuesOf(critical, limit);
        assertSame([limit, values[0], values.at(-1)], [limit, first, last]);
    }
    // A minimum at the end of the sensor's range has nothing beyond it.
    assertSame(valuesOf(temperature({ minimum: -40 }), "criticalMinimum"), []);
});

Deno.test("of a wide range there are the values with three digits that count, and the limit that holds", () => {
    const scale = { unit: "uS/cm", decimals: 0, factor: 1, offset: 0, table: null };
    const conductivity = { name: "conductivity", unit: "uS/cm", units: ["uS/cm"], minimum: null, least: 0, greatest: 200_000 };
    const parameter = temperature({ ...conductivity, maximum: 53_065, decimals: 0, scale });
    const values = valuesOf(parameter, "maximum");
    assertSame(values.slice(0, 3), [1, 2, 3]);
    assertSame(values.filter((value) => value >= 998 && value <= 1_020), [998, 999, 1_000, 1_010, 1_020]);
    assertSame(values.filter((value) => value >= 52_900 && value <= 53_100), [52_900, 53_000, 53_065, 53_100]);
    assertSame([values.at(-1), values.length], [200_000, 2_901]);
    const below = valuesOf(parameter, "minimum");
    assertSame(below.slice(-2), [53_000, 53_064]);
});

Deno.test("below nought the digits count alike", () => {
    const scale = { unit: "mV", decimals: 0, factor: 1, offset: 0, table: null };
    const orp = { name: "orp", unit: "mV", units: ["mV"], minimum: null, maximum: null, least: -2_000, greatest: 2_000 };
    const values = valuesOf(temperature({ ...orp, decimals: 0, scale }), "maximum");
    assertSame(values.filter((value) => value < -990).slice(-3), [-993, -992, -991]);
    assertSame(values.slice(0, 3), [-1_999, -1_990, -1_980]);
});
