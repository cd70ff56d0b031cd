/** Which of several temperature probes is in the water, and whether it was replaced. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { isChoice, isOld, isReplaced } from "../../Services/Gateway/Web/water/probes.js";

const noon = Date.parse("2026-05-01T12:00:00Z");

/**
 * @param {string} id
 * @param {number | null} minutes Before noon, when it was heard.
 * @param {number | null} [value]
 */
function probe(id, minutes, value = 20) {
    const reportedAt = minutes === null ? null : new Date(noon - minutes * 60_000).toISOString();
    return { id, chosen: id === "water", value: minutes === null ? null : value, unit: "C", reportedAt };
}

Deno.test("one probe is no choice", () => {
    same([[], [probe("water", 0)], [probe("water", 0), probe("room", 0)]].map(isChoice), [false, false, true]);
});

Deno.test("a value is old after an hour", () => {
    same([probe("water", 60), probe("water", 61), probe("water", null)].map((one) => isOld(one, noon)), [false, true, true]);
});

Deno.test("a probe is replaced when another one is heard and it is not", () => {
    equal(isReplaced([probe("water", 0), probe("room", 0)]), false);
    equal(isReplaced([probe("water", 15), probe("room", 0)]), false, "noted a few minutes apart");
    equal(isReplaced([probe("water", 16), probe("room", 0)]), true);
    equal(isReplaced([probe("water", null), probe("room", 300)]), true, "never noted");
    equal(isReplaced([probe("water", 300), probe("room", 300)]), false, "the device is silent");
    equal(isReplaced([probe("water", 0), probe("room", 300)]), false, "the other one is gone");
    equal(isReplaced([probe("water", 60), probe("room", 0, null)]), false, "the other one is broken");
    equal(isReplaced([probe("water", 0, null), probe("room", 0)]), false, "a broken probe is a fault");
    equal(isReplaced([probe("water", null)]), false);
    equal(isReplaced([probe("room", 0)]), false, "none is chosen");
});
