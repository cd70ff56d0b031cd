/** Profiles of depths: of numbers alone, a line for each date, those of one parameter together whichever protocol they were taken by. */

import { deepStrictEqual as same, ok, strictEqual as equal } from "node:assert/strict";
import { axesOf, mostLines, profilesOf } from "../../Services/Gateway/Web/water/field/profile.js";
import { fieldOf, protocolOf } from "./field-samples.js";

const lake = { ...protocolOf([fieldOf("oxygen", "number", { each: "depth", unit: "mg/L", parameter: "dissolved_oxygen" }), fieldOf("colour", "text", { each: "depth" }), fieldOf("ph", "number")]), id: "lake" };
const deep = { ...protocolOf([fieldOf("o2", "number", { each: "depth", unit: "mg/L", parameter: "dissolved_oxygen" }), fieldOf("light", "number", { each: "depth", unit: "%" })]), id: "deep" };

/** @param {string} id @param {number} day @param {any[]} values @param {any} [more] */
const sample = (id, day, values, more = {}) => ({ id, begunAt: `2026-11-${String(day).padStart(2, "0")}T10:00:00Z`, protocol: "lake", protocolVersion: 1, state: /** @type {const} */ ("done"), values, ...more });
/** @param {string} field @param {Record<string, number>} numbers By depth. */
const at = (field, numbers) => Object.entries(numbers).map(([depth, number]) => ({ field, depth: Number(depth), number }));

Deno.test("each date is a line from the surface down, the newest first, and what was taken by another protocol stands with it", () => {
    const [oxygen, light] = profilesOf([
        sample("a", 1, [...at("oxygen", { 5: 2, 0: 9 }), { field: "oxygen", depth: 9, below: 0.5 }, { field: "ph", number: 7 }]),
        sample("c", 20, [...at("o2", { 0: 8, 3: 6 }), ...at("light", { 0: 100, 3: 20 })], { protocol: "deep" }),
        sample("b", 10, at("oxygen", { 0: 8.5, 2.5: 8, 5: 4 })),
    ], [lake, deep]);
    same([oxygen.label, oxygen.unit, oxygen.lines.map(({ id }) => id)], ["oxygen", "mg/L", ["c", "b", "a"]]);
    same(oxygen.lines[2].points, [{ depth: 0, value: 9 }, { depth: 5, value: 2 }], "what cannot be told is no number");
    same([light.label, light.lines.length], ["light", 1]);
});

Deno.test("what is no profile is none: one depth, a withdrawn or unfinished sample, an unknown protocol", () => {
    const values = at("oxygen", { 0: 9, 5: 2 });
    same(profilesOf([sample("a", 1, at("oxygen", { 3: 9 })), sample("b", 2, values, { state: "withdrawn" }), sample("c", 3, values, { state: "begun" }), sample("d", 4, values, { protocol: "strange" })], [lake, deep]), []);
});

Deno.test("a version of a protocol with another unit has a graph of its own, and what was taken by an unknown version is not guessed", () => {
    const later = { ...protocolOf([fieldOf("oxygen", "number", { each: "depth", unit: "%", parameter: "dissolved_oxygen" })]), id: "lake", version: 2 };
    const values = at("oxygen", { 0: 9, 5: 2 });
    const taken = [1, 2, 3].map((version) => sample(`v${version}`, version, values, { protocolVersion: version }));
    same(profilesOf(taken, [lake, later]).map(({ unit, lines }) => [unit, lines.map(({ id }) => id)]), [["mg/L", ["v1"]], ["%", ["v2"]]]);
});

Deno.test("no more dates are drawn than can be told apart, and the axes hold all of them", () => {
    const [{ lines }] = profilesOf(Array.from({ length: 9 }, (_, day) => sample(`s${day}`, day + 1, at("oxygen", { 0: 9, [day + 1]: 9 - day }))), [lake]);
    same([lines.length, lines[0].id], [mostLines, "s8"]);
    const { low, high, deepest } = axesOf({ key: "", label: "", unit: "", lines });
    ok(low < 1 && high > 9);
    equal(deepest, 9);
    const level = axesOf({ key: "", label: "", unit: "", lines: [{ id: "a", at: 0, points: [{ depth: 0, value: 7 }, { depth: 0, value: 7 }] }] });
    ok(level.low < 7 && level.high > 7 && level.deepest === 1, "nothing is divided by nothing");
});
