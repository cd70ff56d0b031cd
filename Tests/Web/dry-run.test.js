/** Limits that are tried on many tanks: eight at a time, summed over parameters, the most alarms first. */

import { deepStrictEqual as same, rejects } from "node:assert/strict";
import { dryRun } from "../../Services/Gateway/Web/app/dry-run.js";
import { add, batchesOf, ordered, totalOf } from "../../Services/Gateway/Web/water/dry-run.js";
import { Problem } from "../../Services/Gateway/Web/words/problem.js";

/** @param {string} device @param {number} present @param {number | null} next */
const answer = (device, present, next, more = {}) => ({
    device,
    since: /** @type {string | null} */ ("2026-11-01T00:00:00Z"),
    tooNew: false,
    present: { alarms: present, courseAlarms: 0, reminders: 9 },
    next: next === null ? null : { alarms: next, courseAlarms: 1, reminders: 9 },
    ...more,
});

Deno.test("tanks are asked for eight at a time, each once", () => {
    const tanks = Array.from({ length: 17 }, (_, index) => index);
    same(batchesOf(tanks).map(({ length }) => length), [8, 8, 1]);
    same(batchesOf(tanks).flat(), tanks);
    same(batchesOf([]), []);
});

Deno.test("alarms of all parameters count; a parameter whose limits stay goes on as it is", () => {
    const rows = new Map();
    add(rows, [answer("a", 2, 4), answer("b", 3, null)]);
    add(rows, [answer("a", 1, 0, { tooNew: true }), answer("b", 0, 0, { since: null, tooNew: true })]);
    same([...rows.values()], [
        { device: "a", present: 3, next: 6, isMeasured: true, isTooNew: true, isCrossed: false },
        { device: "b", present: 3, next: 4, isMeasured: true, isTooNew: false, isCrossed: true },
    ]);
    same(totalOf([...rows.values()]), { present: 6, next: 10 });
});

Deno.test("the most alarms come first, and what is alike stays in its order", () => {
    const row = (/** @type {string} */ device, /** @type {number} */ present, /** @type {number} */ next) => ({
        device,
        present,
        next,
        isMeasured: true,
        isTooNew: false,
        isCrossed: false,
    });
    same(ordered([row("a", 0, 1), row("b", 9, 1), row("c", 0, 5), row("d", 0, 1)]).map(({ device }) => device), [
        "c",
        "b",
        "a",
        "d",
    ]);
});

Deno.test("one question at a time, until somebody closes it", async () => {
    /** @type {unknown[]} */
    const asked = [];
    const course = new AbortController();
    const api = /** @type {import("../../Services/Gateway/Web/app/api.js").API} */ (/** @type {unknown} */ ({
        post: (
            /** @type {string} */ path,
            /** @type {{devices: string[], limits: {parameter: string}}} */ { devices, limits },
        ) => {
            asked.push([path, devices.length, limits.parameter]);
            if (asked.length === 3) course.abort(new Error("closed"));
            if (course.signal.aborted) return Promise.reject(course.signal.reason);
            return Promise.resolve({ data: devices.map((device) => answer(device, 1, 2)) });
        },
    }));
    const devices = Array.from({ length: 9 }, (_, index) => `tank-${index}`);
    const limits = [{ parameter: "ph", maximum: 8 }, { parameter: "nitrate", maximum: 20 }];
    /** @type {number[]} */
    const parts = [];
    await rejects(
        dryRun({ api }, { devices, limits }, { signal: course.signal, tell: (part) => parts.push(part) }),
        /closed/,
    );
    same(asked, [["/parameters/back-tests", 8, "ph"], ["/parameters/back-tests", 1, "ph"], [
        "/parameters/back-tests",
        8,
        "nitrate",
    ]]);
    same(parts, [0, 0.25, 0.5]);
});

Deno.test("whoever is not first waits until the others are done", async () => {
    let asked = 0;
    const api = /** @type {import("../../Services/Gateway/Web/app/api.js").API} */ (/** @type {unknown} */ ({
        post: () => {
            asked += 1;
            return asked < 20
                ? Promise.reject(new Problem(429, {}, 0))
                : Promise.resolve({ data: [answer("tank-1", 1, 2)] });
        },
    }));
    const course = { signal: new AbortController().signal, tell: () => {} };
    const [row] = await dryRun({ api }, { devices: ["tank-1"], limits: [{ parameter: "ph", maximum: 8 }] }, course);
    same([asked, row.next], [20, 3]);
});
