import { deepStrictEqual as same, ok, strictEqual as equal } from "node:assert/strict";
import { closest, isWhole, panned, zoomed } from "../../Services/Gateway/Web/drawing/view.js";
import { nightsOf, sunHeight } from "../../Services/Gateway/Web/drawing/sun.js";

const hour = 3_600_000;
const whole = { from: 0, to: 12 * hour };

Deno.test("a closer look keeps its anchor in its place", () => {
    same(zoomed(whole, whole, 0.5, 6 * hour), { from: 3 * hour, to: 9 * hour });
    same(zoomed(whole, whole, 0.5, 12 * hour), { from: 6 * hour, to: 12 * hour });
});

Deno.test("nothing is shown beyond the whole, and nothing too close", () => {
    same(zoomed({ from: 3 * hour, to: 9 * hour }, whole, 8, 6 * hour), whole);
    same(panned({ from: 3 * hour, to: 9 * hour }, whole, 99 * hour), { from: 6 * hour, to: 12 * hour });
    const close = zoomed(whole, whole, 0.0001, 6 * hour);
    equal(close.to - close.from, closest);
    ok(isWhole(whole, whole) && !isWhole(close, whole));
});

Deno.test("the sun rises in Vienna at midsummer as the almanac says", () => {
    const period = { from: Date.parse("2026-06-20T12:00:00Z"), to: Date.parse("2026-06-21T12:00:00Z") };
    const [night, ...others] = nightsOf(period, 48.21, 16.37);
    equal(others.length, 0);
    // Sunset 20:58, sunrise 04:54, Central European Summer Time.
    ok(Math.abs(night.from - Date.parse("2026-06-20T18:58:00Z")) < 5 * 60_000, new Date(night.from).toISOString());
    ok(Math.abs(night.to - Date.parse("2026-06-21T02:54:00Z")) < 5 * 60_000, new Date(night.to).toISOString());
    ok(sunHeight(Date.parse("2026-06-21T11:00:00Z"), 48.21, 16.37) > 64);
});

Deno.test("where the sun does not set there is no night", () => {
    const period = { from: Date.parse("2026-06-20T12:00:00Z"), to: Date.parse("2026-06-22T12:00:00Z") };
    same(nightsOf(period, 70, 25), []);
    const winter = { from: Date.parse("2026-12-20T12:00:00Z"), to: Date.parse("2026-12-22T12:00:00Z") };
    same(nightsOf(winter, 75, 25), [winter]);
});
