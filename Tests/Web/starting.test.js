import { deepStrictEqual as same } from "node:assert/strict";
import { manual, startingWith } from "../../Services/Gateway/Web/water/starting.js";

Deno.test("the manual's limits are those that the service begins with", async () => {
    const source = await Deno.readTextFile(new URL("../../Shared/WaterQuality/Parameters/Parameter+catalogue.swift", import.meta.url));
    const entries = source.slice(source.indexOf("static let catalogue")).split(/\n {8}Facts\(\n/).slice(1);
    /** @param {string} entry @param {string} bound */
    const limitOf = (entry, bound) => {
        const found = entry.match(new RegExp(`\\b${bound}: (-?[\\d.]+)`));
        return found ? Number(found[1]) : null;
    };
    const service = entries.flatMap((entry) => {
        const [minimum, maximum] = [limitOf(entry, "minimum"), limitOf(entry, "maximum")];
        const name = entry.match(/"(\w+)"/)?.[1];
        return maximum === null ? [] : [{ name, minimum, maximum }];
    });
    same(manual.map(({ name, minimum, maximum }) => ({ name, minimum, maximum })), service);
    for (const { name, decimals } of manual) {
        const entry = entries.find((one) => one.includes(`"${name}"`)) ?? "";
        same(entry.match(/calciumCarbonate/) ? 0 : Number(entry.match(/decimals: (\d)/)?.[1]), decimals, name);
    }
});

Deno.test("what a preset names replaces the manual's limits, also by none; everything else stays", () => {
    const preset = {
        id: "discus",
        name: "Discus",
        sources: [],
        limits: [
            { parameter: "temperature", unit: "C", decimals: 1, minimum: 28, maximum: 31, convention: true },
            { parameter: "salinity", unit: "ppt", decimals: 1, minimum: null, maximum: null, convention: false },
        ],
    };
    const found = new Map(startingWith(preset).map((start) => [start.name, [start.minimum, start.maximum]]));
    same(found.get("temperature"), [28, 31]);
    same(found.get("salinity"), [null, null]);
    same(found.get("ph"), [7.5, 8.5]);
    same(startingWith(null), manual);
});

Deno.test("every limit of a preset is shown, what has none last", () => {
    const preset = {
        id: "pool",
        name: "Swimming pool",
        sources: [],
        limits: [
            { parameter: "temperature", unit: "C", decimals: 1, minimum: null, maximum: null, convention: false },
            { parameter: "ph", unit: "pH", decimals: 1, minimum: 7.2, maximum: 7.8, convention: false },
            { parameter: "orp", unit: "mV", decimals: 0, minimum: 650, maximum: null, convention: false },
            { parameter: "free_chlorine", unit: "ppm", decimals: 2, minimum: 1, maximum: 5, convention: true },
        ],
    };
    const starts = startingWith(preset);
    same(starts.map(({ name }) => name), [
        "ph", "ammonia", "nitrate", "nitrite", "alkalinity", "hardness", "dissolved_oxygen", "salinity", "orp", "free_chlorine", "temperature",
    ]);
    same(starts.at(-2), { name: "free_chlorine", unit: "ppm", decimals: 2, minimum: 1, maximum: 5 });
    const earlier = { ...preset, limits: preset.limits.map(({ decimals: _, ...limits }) => limits) };
    same(startingWith(earlier).find(({ name }) => name === "orp")?.decimals, 0);
    same(starts.at(-3), { name: "orp", unit: "mV", decimals: 0, minimum: 650, maximum: null });
});
