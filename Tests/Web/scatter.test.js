/** Points on a canvas: which are drawn, where, and which are pressed. */

import { deepStrictEqual as same, ok } from "node:assert/strict";
import { bounded, dragged, pointOf, positionOf, shiftOf } from "../../Services/Gateway/Web/drawing/mercator.js";
import { createScatter } from "../../Services/Gateway/Web/drawing/scatter.js";

/** @typedef {import("../../Services/Gateway/Web/drawing/mercator.js").View} View */

const size = { width: 342, height: 439 };
const view = { ...pointOf({ latitude: 47.5, longitude: 9.5 }), zoom: 11 };

/** Places around a middle, always the same. @param {number} count */
const places = (count) =>
    Array.from({ length: count }, (_, index) => ({
        latitude: 47.5 + 0.004 * Math.sqrt(index) * Math.sin(index * 2.4),
        longitude: 9.5 + 0.004 * Math.sqrt(index) * Math.cos(index * 2.4),
    }));

/**
 * @param {ReturnType<typeof createScatter>} scatter
 * @param {View} of
 * @param {number} edge
 */
function drawn(scatter, of, edge) {
    /** @type {{index: number, x: number, y: number}[]} */
    const found = [];
    scatter.draw(of, size, edge, (index, x, y) => found.push({ index, x, y }));
    return found;
}

Deno.test("a point is drawn where the map has it, also over the window's edges", () => {
    const all = places(3_000);
    const scatter = createScatter(all.map(pointOf));
    const found = drawn(scatter, view, 128);
    ok(found.some(({ x }) => x < 0) && found.some(({ y }) => y >= size.height), "beyond the edges");
    for (const { index, x, y } of found) {
        const at = positionOf(all[index], view, size);
        ok(Math.abs(at.x - x) < 1e-6 && Math.abs(at.y - y) < 1e-6, `${index}`);
        ok(x >= -128 && y >= -128 && x < size.width + 128 && y < size.height + 128);
    }
    ok(drawn(scatter, view, 0).every(({ x, y }) => x >= 0 && y >= 0 && x < size.width && y < size.height));
});

Deno.test("of points that would lie on each other the foremost is drawn, and no more than there is room for", () => {
    const point = pointOf({ latitude: 47.5, longitude: 9.5 });
    same(drawn(createScatter([point, point, point]), view, 0).map(({ index }) => index), [0]);
    const crowded = drawn(createScatter(places(20_000).map(pointOf)), { ...view, zoom: 8 }, 0);
    ok(crowded.length > 100 && crowded.length <= 44 * 56, `${crowded.length}`);
    same(crowded[0].index, 0);
});

Deno.test("a drag draws the same points, moved by its way", () => {
    const scatter = createScatter(places(5_000).map(pointOf));
    const before = new Map(drawn(scatter, view, 200).map(({ index, x, y }) => [index, { x, y }]));
    for (const by of [{ x: 3.3, y: -1.7 }, { x: -77, y: 41 }, { x: 128, y: -128 }]) {
        const after = dragged(view, by, size);
        const shift = shiftOf(view, after);
        ok(shift && Math.abs(shift.x - by.x) < 1e-6 && Math.abs(shift.y - by.y) < 1e-6, JSON.stringify(shift));
        const found = drawn(scatter, after, 0);
        ok(found.length > 0);
        for (const { index, x, y } of found) {
            const had = before.get(index);
            ok(had && Math.abs(had.x + by.x - x) < 1e-6 && Math.abs(had.y + by.y - y) < 1e-6, `${index} was not drawn before`);
        }
    }
});

Deno.test("over the meridian of 180 degrees what is near stays near", () => {
    const fiji = { ...pointOf({ latitude: -17, longitude: 179.99 }), zoom: 10 };
    const [found] = drawn(createScatter([pointOf({ latitude: -17, longitude: -179.99 })]), fiji, 0);
    ok(Math.abs(found.x - positionOf({ latitude: -17, longitude: -179.99 }, fiji, size).x) < 1e-6 && found.x > size.width / 2, `${found.x}`);
    const shift = shiftOf(fiji, dragged(fiji, { x: -100, y: 0 }, size));
    ok(shift && Math.abs(shift.x + 100) < 1e-6, JSON.stringify(shift));
});

Deno.test("another level is drawn again, and the end of the earth moves nothing", () => {
    same(shiftOf(view, { ...view, zoom: 11.5 }), null);
    const north = bounded({ x: 0.5, y: 0, zoom: 3 }, size);
    same(shiftOf(north, dragged(north, { x: 0, y: 80 }, size)), { x: 0, y: 0 });
});

Deno.test("a press means the points within its reach, the nearest first", () => {
    const scatter = createScatter([{ latitude: 47.5, longitude: 9.51 }, { latitude: 47.5, longitude: 9.5 }, { latitude: 47.6, longitude: 9.5 }].map(pointOf));
    same(scatter.near({ x: size.width / 2 + 1, y: size.height / 2 }, 24, view, size), [1, 0]);
    same(scatter.near({ x: size.width / 2, y: size.height / 2 - 100 }, 24, view, size), []);
});
