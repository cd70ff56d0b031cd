/** The values of a limit: what the sensor tells apart, never such that minimum and maximum cross. */

import { nearest, stepOf, valuesOf } from "../../Services/Gateway/Web/app/limits.js";

/** @returns {import("../../Services/Gateway/Web/app/water.js").Parameter} */
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
    const parameter = temperature({ unit: "F", minimum: 53.6, maximum: 75.2, least: -40, greatest: 104 });
    assertSame(stepOf(parameter).toFixed(4), "0.1800");
    const values = valuesOf(parameter, "minimum");
    assertSame([values[0], values.at(-1)], [-40, 75.02]);
});

Deno.test("a number that was typed leads to the nearest value, within the bounds", () => {
    const values = valuesOf(temperature(), "minimum");
    assertSame(values[nearest(values, 12.34)], 12.3);
    assertSame(values[nearest(values, 99)], 22.5);
    assertSame(values[nearest(values, -99)], -40);
});
