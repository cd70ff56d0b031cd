import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { timeTicks } from "../../Services/Gateway/Web/words/ticks.js";
import * as time from "../../Services/Gateway/Web/words/time.js";

const at = (/** @type {string} */ text) => Date.parse(text);
const walls = (/** @type {import("../../Services/Gateway/Web/words/ticks.js").TimeTick[]} */ ticks, /** @type {string} */ zone) =>
    ticks.map((tick) => time.clock(tick.time, zone, { padded: true }));

Deno.test("a clock has 24 hours, padded or not", () => {
    equal(time.clock(at("2026-05-01T01:52:00Z"), "Europe/Vienna"), "03:52");
    equal(time.clock(at("2026-05-01T01:52:00Z"), "Europe/Vienna", { padded: false }), "3:52");
    equal(time.clock(at("2026-05-01T01:52:00Z"), "Europe/Vienna", { padded: true }), "03:52");
    equal(time.clock(at("2026-05-01T00:00:00Z"), "UTC"), "00:00");
});

Deno.test("marks stand at local hours", () => {
    const ticks = timeTicks(at("2026-05-01T15:48:00Z"), at("2026-05-02T03:48:00Z"), "Europe/Vienna", 4);
    same(walls(ticks, "Europe/Vienna"), ["18:00", "21:00", "00:00", "03:00"]);
});

Deno.test("marks stand at local hours in a zone of half an hour", () => {
    const ticks = timeTicks(at("2026-05-01T00:00:00Z"), at("2026-05-01T12:00:00Z"), "Asia/Kolkata", 4);
    same(walls(ticks, "Asia/Kolkata"), ["06:00", "09:00", "12:00", "15:00"]);
});

Deno.test("where the clocks change, marks stay at local hours, each once", () => {
    const spring = timeTicks(at("2026-03-28T22:00:00Z"), at("2026-03-29T07:00:00Z"), "Europe/Vienna", 9);
    same(new Set(spring.map((tick) => tick.time)).size, spring.length);
    same(walls(spring, "Europe/Vienna"), ["23:00", "00:00", "01:00", "03:00", "04:00", "05:00", "06:00", "07:00", "08:00", "09:00"]);
    const autumn = timeTicks(at("2026-10-24T22:00:00Z"), at("2026-10-25T10:00:00Z"), "Europe/Vienna", 5);
    same(walls(autumn, "Europe/Vienna"), ["00:00", "03:00", "06:00", "09:00"]);
});

Deno.test("an hour that the clocks skip is told an hour later, east and west of Greenwich", () => {
    equal(time.instantOf(at("2026-03-29T02:30:00Z"), "Europe/Vienna"), at("2026-03-29T01:30:00Z"));
    equal(time.instantOf(at("2026-03-08T02:30:00Z"), "America/New_York"), at("2026-03-08T07:30:00Z"));
    equal(time.instantOf(at("2026-07-01T12:00:00Z"), "America/New_York"), at("2026-07-01T16:00:00Z"));
});

Deno.test("long spans have marks at midnights and at the first of months", () => {
    const week = timeTicks(at("2026-05-01T10:00:00Z"), at("2026-05-08T10:00:00Z"), "Europe/Vienna", 7);
    same(new Set(walls(week, "Europe/Vienna")), new Set(["00:00"]));
    equal(week.length, 7);
    const year = timeTicks(at("2025-05-10T00:00:00Z"), at("2026-05-10T00:00:00Z"), "Europe/Vienna", 6);
    same(year.map((tick) => time.civil(tick.time, "Europe/Vienna").day), year.map(() => 1));
    equal(year[0].kind, "month");
});

Deno.test("a span in words: its greatest unit, or two units", () => {
    same(time.coarse(8_400), { count: 8, unit: "second" });
    same(time.coarse(-5), { count: 0, unit: "second" });
    same(time.coarse(26 * time.minute + 59_000), { count: 26, unit: "minute" });
    same(time.coarse(3 * time.hour), { count: 3, unit: "hour" });
    same(time.coarse(49 * time.hour), { count: 2, unit: "day" });
    same(time.exact(116 * time.minute), [{ count: 1, unit: "hour" }, { count: 56, unit: "minute" }]);
    same(time.exact(2 * time.hour), [{ count: 2, unit: "hour" }]);
    same(time.exact(26 * time.hour + 5 * time.minute), [{ count: 1, unit: "day" }, { count: 2, unit: "hour" }]);
    same(time.exact(40_000), [{ count: 40, unit: "second" }]);
    same(time.exact(0), [{ count: 0, unit: "second" }]);
});

Deno.test("a day is the wall's day", () => {
    equal(time.isSameDay(at("2026-05-01T22:30:00Z"), at("2026-05-02T10:00:00Z"), "Europe/Vienna"), true);
    equal(time.isSameDay(at("2026-05-01T22:30:00Z"), at("2026-05-02T10:00:00Z"), "UTC"), false);
});
