/** Where a device that moves was: stretches, shades and standings of its places. */

import { deepStrictEqual as same } from "node:assert/strict";
import { domainOf, indexAt, nearestOf, placesOf, shadeOf, shades, standingOf, stretchesOf } from "../../Services/Gateway/Web/water/track.js";

const minute = 60_000;
const range = { minimum: 7, maximum: 9, decimals: 1 };

/** @param {number} at In minutes. @param {number | null} [value] */
function place(at, value = 8) {
    return { time: at * minute, latitude: 47, longitude: 9, accuracy: null, value };
}

Deno.test("places are read as the service says them", () => {
    const position = { time: "2026-05-01T12:00:00Z", latitude: 48.20812, longitude: 16.37382, accuracy: 4 };
    same(placesOf({ points: [{ position, value: null }] }), [
        { time: Date.UTC(2026, 4, 1, 12), latitude: 48.20812, longitude: 16.37382, accuracy: 4, value: null },
    ]);
});

Deno.test("no line crosses a gap", () => {
    const lengths = (/** @type {number[]} */ ...times) => stretchesOf(times.map((time) => place(time))).map(({ length }) => length);
    same(lengths(), []);
    same(lengths(0, 30, 95), [3]);
    same(lengths(0, 30, 96, 97), [2, 2]);
    // Of some of all places the usual time between them counts.
    same(stretchesOf([place(0), place(100), place(500)], 60 * minute).map(({ length }) => length), [2, 1]);
});

Deno.test("a value stands by the limits", () => {
    same([6.9, 7, 9, 9.1, null].map((value) => standingOf(place(0, value), range)), ["low", "within", "within", "high", null]);
    same(standingOf(place(0, 20), null), "within");
});

Deno.test("shades are of what is within the limits", () => {
    const places = [place(0, 3), place(1, 7.5), place(2, null), place(3, 8.5), place(4, 12)];
    const domain = domainOf(places, range);
    same(domain, { low: 7.5, high: 8.5 });
    same([7.5, 7.69, 7.71, 8, 8.5].map((value) => shadeOf(value, domain ?? { low: 0, high: 0 })), [0, 0, 1, 2, shades - 1]);
    same(shadeOf(8, { low: 8, high: 8 }), shades - 1);
    same(domainOf([place(0, 3), place(1, null)], range), null);
});

Deno.test("a press chooses the nearest place, of two on top of each other the last", () => {
    const points = [{ x: 10, y: 10 }, { x: 50, y: 10 }, { x: 50, y: 10 }];
    same(nearestOf(points, { x: 14, y: 13 }, 24), 0);
    same(nearestOf(points, { x: 45, y: 10 }, 24), 2);
    same(nearestOf(points, { x: 200, y: 10 }, 24), null);
    same(nearestOf([], { x: 0, y: 0 }, 24), null);
});

Deno.test("the same time is found among other places", () => {
    const places = [place(0), place(10), place(20)];
    same([-5, 0, 9, 10, 99].map((at) => indexAt(places, at * minute)), [0, 0, 0, 1, 2]);
    same(indexAt([], 0), 0);
});
