import { deepStrictEqual as same, equal } from "node:assert/strict";
import { elapsed, heardOf, isOld, pageOf, rangeOf, toldOf } from "../../Services/Gateway/Web/water/public-page.js";

const now = Date.parse("2026-05-01T12:00:00Z");
const value = {
    parameter: "ph",
    unit: "pH",
    decimals: 1,
    colour: "blue",
    value: 7.1,
    at: "2026-05-01T11:59:00Z",
    state: "inRange",
    step: 300,
    gap: 900,
    points: [{ time: "2026-05-01T11:00:00Z", mean: 7, afterGap: false }, { time: "2026-05-01T11:30:00Z", mean: 7.4, afterGap: true }],
};
/** @param {...object} values */
const page = (...values) =>
    pageOf({ title: "<b>Pond</b>", days: 7, readAt: "2026-05-01T12:00:00Z", tanks: [{ title: "Pond", values }] });

Deno.test("a page is what the service tells, and a state of a newer service is none", () => {
    const [shown] = page(value).tanks[0].values;
    same([shown.value, shown.state, shown.series.points.length, shown.series.points[1].isAfterGap], [7.1, "inRange", 2, true]);
    equal(page({ ...value, state: "odd" }).tanks[0].values[0].state, null);
    equal(page(value).title, "<b>Pond</b>");
});

Deno.test("it was heard when the last of it was measured, or never", () => {
    equal(heardOf(page(value, { ...value, at: "2026-05-01T11:00:00Z" })), now - 60_000);
    equal(heardOf(page({ ...value, at: null, value: null })), null);
    equal(heardOf(page()), null);
    same([isOld(null, now), isOld(now - 900_000, now), isOld(now - 900_001, now)], [true, false, true]);
});

Deno.test("what is old says that it is, whatever its owner shows; what people measure, and what never came, does not", () => {
    const told = (/** @type {object} */ more) => toldOf(page({ ...value, ...more }).tanks[0].values[0], now);
    same([told({}), told({ state: null }), told({ state: "low" })], ["inRange", null, "low"]);
    const at = "2026-05-01T11:44:00Z";
    same([told({ at }), told({ at, state: null }), told({ at, byHand: true }), told({ at: null, value: null })], ["outdated", "outdated", "inRange", null]);
});

Deno.test("a graph without limits has the range of its data, and some room where nothing changes", () => {
    const range = rangeOf(page(value).tanks[0].values[0]);
    same([range.least, range.greatest, range.minimum, range.maximum], [7, 7.4, null, null]);
    const still = rangeOf(page({ ...value, points: value.points.slice(0, 1) }).tanks[0].values[0]);
    same([still.least, still.greatest], [6.5, 7.5]);
});

Deno.test("a page grows old while its device sleeps, and no younger when somebody sets the clock", () => {
    const came = { steady: 1_000, clock: now };
    equal(elapsed(came, { steady: 61_000, clock: now + 60_000 }), 60_000);
    equal(elapsed(came, { steady: 2_000, clock: now + 3_600_000 }), 3_600_000);
    equal(elapsed(came, { steady: 61_000, clock: now - 3_600_000 }), 60_000);
});
