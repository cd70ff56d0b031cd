/** When a value will leave the limits if it goes on like this. */

import { ok, strictEqual as equal } from "node:assert/strict";
import cases from "./outlooks.json" with { type: "json" };
import { outlookOf } from "../../Services/Gateway/Web/water/outlook.js";
import { decoded } from "../../Services/Gateway/Web/water/series.js";

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse("2026-11-24T00:00:00Z");
const range = { minimum: 6, maximum: 9, least: 0, greatest: 20, decimals: 1 };

/**
 * A point every six minutes for so long, by the hours since the start.
 * @param {number} hours
 * @param {(hours: number) => number | null} valueAt
 */
function series(hours, valueAt) {
    const points = [];
    for (let time = 0; time <= hours * hour; time += 6 * minute) {
        const mean = valueAt(time / hour);
        if (mean !== null) points.push({ time: new Date(start + time).toISOString(), mean, count: 12 });
    }
    return decoded({ unit: "ppm", step: 360, gap: 900, points });
}

Deno.test("a straight way is followed to the limit", () => {
    const falling = outlookOf(series(2, (hours) => 8 - hours / 2), range, start + 2 * hour);
    equal(falling?.side, "low");
    equal(falling?.limit, 6);
    equal(Math.round((Number(falling?.at) - start) / minute), 240);
    const rising = outlookOf(series(2, (hours) => 8 + hours / 4), range, start + 2 * hour);
    equal(rising?.side, "high");
    equal(Math.round((Number(rising?.at) - start) / minute), 240);
});

Deno.test("a wild point does not move it, and noise around the way little", () => {
    let seed = 7;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5;
    const spiked = series(2, (hours) => Math.round(hours * 10) === 13 ? 19 : 8 - hours / 2);
    ok(Math.abs((Number(outlookOf(spiked, range, start + 2 * hour)?.at) - start) / minute - 240) < 5);
    const noisy = outlookOf(series(2, (hours) => 8 - hours / 2 + random() / 5), range, start + 2 * hour);
    ok(Math.abs((Number(noisy?.at) - start) / minute - 240) < 25, JSON.stringify(noisy));
});

Deno.test("live values that come by the second count no more than one point", () => {
    const points = [];
    for (let time = 0; time <= 2 * hour; time += 15 * minute) points.push([time, 8 - time / hour / 2]);
    for (let second = 0; second < 120; second++) points.push([2 * hour + second * 1000, 7]);
    const known = decoded({
        unit: "ppm", step: 0, gap: 3600,
        points: points.map(([time, mean]) => ({ time: new Date(start + time).toISOString(), mean, count: 1 })),
    });
    equal(outlookOf(known, range, start + 2 * hour + 2 * minute)?.side, "low");
});

Deno.test("what goes nowhere, or too slowly, reaches nothing", () => {
    let seed = 11;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5;
    equal(outlookOf(series(2, () => 8), range, start + 2 * hour), null);
    equal(outlookOf(series(2, () => 8 + random()), range, start + 2 * hour), null);
    equal(outlookOf(series(2, (hours) => 8 - hours / 10), range, start + 2 * hour), null);
    // What trembles close to a limit is not on its way there.
    equal(outlookOf(series(2, (hours) => 6.25 - hours / 20 + random() * 0.4), range, start + 2 * hour), null);
    // Away from the only limit.
    equal(outlookOf(series(2, (hours) => 8 - hours / 2), { ...range, minimum: null }, start + 2 * hour), null);
});

Deno.test("too little, too old, broken off or outside already is no ground for it", () => {
    const falling = (/** @type {number} */ hours) => 8 - hours / 2;
    equal(outlookOf(series(0.6, falling), range, start + 0.6 * hour), null);
    equal(outlookOf(series(2, falling), range, start + 2 * hour + 16 * minute), null);
    equal(outlookOf(series(2, (hours) => hours > 1 && hours < 1.6 ? null : falling(hours)), range, start + 2 * hour), null);
    equal(outlookOf(series(2, (hours) => 6.5 - hours / 2), range, start + 2 * hour), null);
    equal(outlookOf(decoded({ points: [] }), range, start), null);
});

// The service tells ahead what is shown here (`TrendTests.swift` takes the same file): values in tenths, so many minutes apart.
for (const { name, step, minimum, maximum, values, outlook } of cases) {
    Deno.test(`the service agrees: ${name}`, () => {
        const points = values.flatMap((value, index) =>
            value === null ? [] : [{ time: new Date(start + index * step * minute).toISOString(), mean: value / 10, count: 1 }]
        );
        const now = start + (values.length - 1) * step * minute;
        const found = outlookOf(
            decoded({ unit: "ppm", step: step * 60, gap: 1440, points }),
            { ...range, minimum: minimum === null ? null : minimum / 10, maximum: maximum / 10 },
            now,
        );
        equal(found?.side, outlook?.side);
        if (outlook) ok(Math.abs((Number(found?.at) - now) / minute - outlook.minutes) < 1, JSON.stringify(found));
    });
}
