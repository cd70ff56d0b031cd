/** Limits of presets in the unit that a person reads in. */

import { isConvention, setOf, wholeLimitsOf, wholeOf, withPreset } from "../../Services/Gateway/Web/water/presets.js";

/** @returns {import("../../Services/Gateway/Web/water/tanks.js").Parameter} */
function temperature(changes = {}) {
    return {
        name: "temperature",
        unit: "C",
        units: ["C", "F"],
        minimum: 12,
        maximum: 24,
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

/** @type {import("../../Services/Gateway/Web/water/presets.js").Preset} */
const reef = {
    id: "reef",
    name: "Reef tank",
    sources: ["example.org"],
    limits: [
        { parameter: "temperature", unit: "C", decimals: 1, minimum: 24, maximum: 27, convention: false },
        { parameter: "alkalinity", unit: "ppm", decimals: 0, minimum: 125, maximum: null, convention: false },
    ],
};

/**
 * @param {unknown} one
 * @param {unknown} other
 */
function assertSame(one, other) {
    const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
    if (a !== b) throw new Error(`${a} is not ${b}`);
}

Deno.test("limits are shown in the person's unit, and the rest stays", () => {
    assertSame(withPreset(temperature(), reef), temperature({ minimum: 24, maximum: 27 }));
    const scale = { unit: "C", decimals: 1, factor: 1.8, offset: 32, table: null };
    const next = withPreset(temperature({ unit: "F", scale }), reef);
    assertSame([next?.minimum, next?.maximum, next?.unit], [75.2, 80.6, "F"]);
});

Deno.test("with as many digits as the unit has", () => {
    const scale = { unit: "ppm", decimals: 0, factor: 1 / 17.848, offset: 0, table: null };
    const next = withPreset(temperature({ name: "alkalinity", unit: "dKH", scale }), reef);
    assertSame([next?.minimum, next?.maximum], [7, null]);
});

Deno.test("what a preset does not name stays as it is", () => {
    assertSame(withPreset(temperature({ name: "ph" }), reef), null);
});

Deno.test("what only keepers agree on is told from what sources say", () => {
    const kept = { ...reef, limits: [{ ...reef.limits[0], convention: true }, reef.limits[1]] };
    assertSame(["temperature", "alkalinity", "ph"].map((name) => isConvention(kept, name)), [true, false, false]);
});

Deno.test("a preset of one's own has all that is set of a parameter, and nothing that is a matter of a device", () => {
    const periods = [{ from: "04:00", until: "07:00", firstDay: null, lastDay: null, minimum: 10, maximum: null, criticalMinimum: null, criticalMaximum: null }];
    const whole = wholeOf(temperature({ criticalMaximum: 30, delaySeconds: 600, changePerHour: null, periods }));
    assertSame(whole, { parameter: "temperature", minimum: 12, unit: "C", maximum: 24, criticalMaximum: 30, delaySeconds: 600, changePerHour: null, periods });
    assertSame("minimum" in wholeOf(temperature({ name: "nitrite", hasMinimum: false, minimum: null })), false);
});

Deno.test("it is made of the parameters that have limits at some time", () => {
    const none = { minimum: null, maximum: null };
    const period = { from: "04:00", until: "07:00", firstDay: null, lastDay: null, ...none };
    const parameters = [temperature(), temperature({ name: "ph", ...none }), temperature({ name: "orp", ...none, periods: [period] }), temperature({ name: "tds", ...none, changePerHour: 2 })];
    assertSame(setOf(parameters).map(({ name }) => name), ["temperature", "orp", "tds"]);
});

Deno.test("a preset of the service takes away what belonged to the former limits", () => {
    const [first] = wholeLimitsOf(reef);
    assertSame(first, { parameter: "temperature", unit: "C", minimum: 24, maximum: 27, criticalMinimum: null, criticalMaximum: null, periods: [] });
});

Deno.test("and is in the person's units, where they have such values", () => {
    const scale = { unit: "C", decimals: 1, factor: 1.8, offset: 32, table: null };
    const [first, second] = wholeLimitsOf(reef, [temperature({ unit: "F", scale })]);
    assertSame([first.unit, first.minimum, first.maximum], ["F", 75.2, 80.6]);
    assertSame([second.unit, second.minimum, second.maximum], ["ppm", 125, null]);
    const table = { first: 0, step: 1, values: [0, 1] };
    const [beyond] = wholeLimitsOf(reef, [temperature({ unit: "F", scale: { ...scale, factor: null, table } })]);
    assertSame([beyond.unit, beyond.minimum, beyond.maximum], ["C", 24, 27]);
});
