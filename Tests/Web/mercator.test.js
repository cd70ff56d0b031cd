/** Web Mercator: known tiles, there and back, the date line, the poles. */

import * as mercator from "../../Services/Gateway/Web/drawing/mercator.js";

/**
 * @param {unknown} one
 * @param {unknown} other
 */
function assertSame(one, other) {
    const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
    if (a !== b) throw new Error(`${a} is not ${b}`);
}

/**
 * @param {number} one
 * @param {number} other
 * @param {number} [most]
 */
function assertNear(one, other, most = 1e-9) {
    if (!(Math.abs(one - other) <= most)) throw new Error(`${one} is not near ${other}`);
}

/** @param {{latitude: number, longitude: number}} place */
function tileAt(place, z = 0) {
    const { x, y } = mercator.pointOf(place);
    return [Math.floor(x * 2 ** z), Math.floor(y * 2 ** z)];
}

const size = { width: 400, height: 300 };

Deno.test("known places are on known tiles", () => {
    assertSame(mercator.pointOf({ latitude: 0, longitude: 0 }), { x: 0.5, y: 0.5 });
    // The example of OpenStreetMap's wiki for tile names, and two capitals.
    assertSame(tileAt({ latitude: 35.6590699, longitude: 139.7006793 }, 18), [232798, 103246]);
    assertSame(tileAt({ latitude: 51.5007, longitude: -0.1246 }, 10), [511, 340]);
    assertSame(tileAt({ latitude: -33.8568, longitude: 151.2153 }, 10), [942, 614]);
});

Deno.test("there and back is the same place", () => {
    for (let latitude = -85; latitude <= 85; latitude += 5) {
        for (let longitude = -180; longitude < 180; longitude += 7.5) {
            const back = mercator.placeOf(mercator.pointOf({ latitude, longitude }));
            assertNear(back.latitude, latitude, 1e-9);
            assertNear(back.longitude, longitude, 1e-9);
        }
    }
});

Deno.test("the poles are at the edges of the square", () => {
    for (const latitude of [85.0511287798066, 86, 89.999999, 90]) {
        assertNear(mercator.pointOf({ latitude, longitude: 0 }).y, 0);
        assertNear(mercator.pointOf({ latitude: -latitude, longitude: 0 }).y, 1);
    }
    assertNear(mercator.placeOf({ x: 0.5, y: 0 }).latitude, 85.0511287798066);
});

Deno.test("neighbours across the date line are neighbours", () => {
    const places = [{ latitude: -17, longitude: 179.9 }, { latitude: -17, longitude: -179.9 }];
    const view = mercator.fitting(places, size, 40);
    if (view.zoom < 9) throw new Error(`seen from far away: ${view.zoom}`);
    const [west, east] = places.map((place) => mercator.positionOf(place, view, size));
    if (!(west.x > 0 && west.x < east.x && east.x < size.width)) throw new Error(`${west.x} ${east.x}`);
    const columns = new Set(mercator.tilesOf(view, size).map(({ x }) => x));
    if (!columns.has(0) || !columns.has(2 ** view.zoom - 1)) throw new Error("the tiles of one side are missing");
});

Deno.test("all places are in the window, and one alone is in its middle", () => {
    const places = [{ latitude: 48.2, longitude: 16.37 }, { latitude: 40.4, longitude: -3.7 }, { latitude: 60.2, longitude: 24.9 }];
    const view = mercator.fitting(places, size, 40);
    for (const place of places) {
        const { x, y } = mercator.positionOf(place, view, size);
        if (x < 40 || y < 40 || x > size.width - 40 || y > size.height - 40) throw new Error(`${x} ${y}`);
    }
    const alone = mercator.fitting([places[0]], size, 40);
    assertSame(alone.zoom, 15);
    const { x, y } = mercator.positionOf(places[0], alone, size);
    assertNear(x, 200, 1e-6);
    assertNear(y, 150, 1e-6);
});

Deno.test("tiles cover the window without gaps", () => {
    for (const zoom of [1, 2.4, 7.5, 12.9, 19]) {
        const view = mercator.bounded({ x: 0.999, y: 0.3, zoom }, size);
        const tiles = mercator.tilesOf(view, size);
        for (const [x, y] of [[0, 0], [399.9, 0], [0, 299.9], [399.9, 299.9], [200, 150]]) {
            const over = tiles.filter((tile) => tile.left <= x && x < tile.left + tile.size && tile.top <= y && y < tile.top + tile.size);
            assertSame(over.length, 1);
        }
        for (const { z, x, y } of tiles) {
            if (x < 0 || y < 0 || x >= 2 ** z || y >= 2 ** z || z > 19) throw new Error(`no tile ${z}/${x}/${y}`);
        }
    }
});

Deno.test("what is under a finger stays under it", () => {
    const view = mercator.fitting([{ latitude: 48.2, longitude: 16.37 }], size, 40);
    const at = { x: 320, y: 40 };
    const before = mercator.tilesOf(view, size)[0];
    const place = mercator.placeOf({ x: view.x + 120 / (256 * 2 ** view.zoom), y: view.y - 110 / (256 * 2 ** view.zoom) });
    const closer = mercator.zoomedTo(view, view.zoom - 2.5, at, size);
    const { x, y } = mercator.positionOf(place, closer, size);
    assertNear(x, at.x, 1e-6);
    assertNear(y, at.y, 1e-6);
    assertSame(before.z, 15);
    const moved = mercator.dragged(view, { x: 50, y: -20 }, size);
    const shifted = mercator.positionOf(place, moved, size);
    assertNear(shifted.x, 370, 1e-6);
    assertNear(shifted.y, 20, 1e-6);
});

Deno.test("a map ends at the levels there are, and at the poles", () => {
    const view = { x: 0.5, y: 0.5, zoom: 5 };
    assertSame(mercator.zoomedTo(view, 40, { x: 0, y: 0 }, size).zoom, 19);
    assertSame(mercator.zoomedTo(view, -3, { x: 0, y: 0 }, size).zoom, 1);
    const north = mercator.dragged(view, { x: 0, y: 1e6 }, size);
    if (mercator.tilesOf(north, size).every(({ y }) => y !== 0)) throw new Error("the first row is out of reach");
    assertNear(north.y, 150 / (256 * 32));
});

Deno.test("a tile's address is the template's", () => {
    assertSame(mercator.addressOf("https://tile.example/{z}/{x}/{y}.png?k=1", { z: 3, x: 4, y: 5 }), "https://tile.example/3/4/5.png?k=1");
});
