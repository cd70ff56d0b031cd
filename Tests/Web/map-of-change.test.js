/** The map of change: moments, sums, orders, outlines, and zones as the app knows them. */

import { deepStrictEqual as same, ok, rejects } from "node:assert/strict";
import { createZones } from "../../Services/Gateway/Web/app/zones.js";
import { spriteOf } from "../../Services/Gateway/Web/components/change-map/sprites.js";
import { placeAt, positionOf } from "../../Services/Gateway/Web/drawing/mercator.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import { begunAt, classOf, distanceOf, distances, filtered, listed, momentsAt, ordered, rankOf, reachOf, spanOf, sumOf, unitOf } from "../../Services/Gateway/Web/water/change.js";
import { boundsAround, isChangeOf, pagesOf } from "../../Services/Gateway/Web/water/kept-zone.js";
import { crosses, isInside, outlineAround } from "../../Services/Gateway/Web/water/outline.js";
import { Problem } from "../../Services/Gateway/Web/words/problem.js";

const hour = 3_600_000;
const now = Date.parse("2026-11-25T14:20:00Z");

/** @param {Partial<import("../../Services/Gateway/Web/water/change.js").ChangePoint>} point */
const pointOf = (point) => ({
    device: "weir-1",
    name: "Weir",
    site: false,
    latitude: 48,
    longitude: 16,
    before: 8,
    after: 8,
    change: 0,
    class: 0,
    byHand: false,
    readings: 100,
    flagged: 0,
    ...point,
});

/** @param {Partial<import("../../Services/Gateway/Web/water/change.js").Zone>} zone */
const zoneOf = (zone) => ({
    id: "1",
    project: null,
    name: "River",
    outline: [{ latitude: 47, longitude: 15 }, { latitude: 49, longitude: 15 }, { latitude: 49, longitude: 17 }, { latitude: 47, longitude: 17 }],
    favourite: false,
    mayChange: true,
    version: 1,
    ...zone,
});

Deno.test("moments move within what the slider reaches, and stay apart", () => {
    const reach = reachOf(distances.week, now);
    same(reach.until, Date.parse("2026-11-25T14:00:00Z"));
    same(reach.until - reach.from, distances.month);
    const week = momentsAt(distances.week, now, reach);
    same(week, { from: reach.until - distances.week, to: reach.until });
    same(distanceOf(week), "week");
    const earliest = momentsAt(distances.week, 0, reach);
    same(earliest, { from: reach.from, to: reach.from + distances.week });
    same(begunAt(week, week.to, reach), { from: week.to - distances.day, to: week.to });
    same(begunAt(week, 0, reach).from, reach.from);
    same(distanceOf(begunAt(week, week.from - hour, reach)), null);
    for (const distance of Object.values(distances)) {
        const reach = reachOf(distance, now);
        const { from, to } = momentsAt(distance, now, reach);
        ok(reach.from <= from && to <= reach.until && (reach.until - reach.from) % reach.step === 0, `${distance}`);
        ok(spanOf({ from, to }) * hour <= to - from, "windows do not lie on each other");
    }
});

Deno.test("what is not known counts in no mean, and is last", () => {
    const points = [
        pointOf({ device: "a", name: "Lake", change: null, class: null }),
        pointOf({ device: "b", name: "Weir 10", change: -2, class: -3 }),
        pointOf({ device: "c", name: "Weir 9", change: 1, class: 2 }),
    ];
    same(sumOf(points), { mean: -0.5, count: 3, known: 2, rising: 1, falling: 1 });
    same(sumOf([points[0]]).mean, null);
    same(ordered(points, "change", "en").map(({ device }) => device), ["b", "c", "a"]);
    same(ordered(points, "name", "en").map(({ device }) => device), ["a", "c", "b"]);
    same([-3, 0, 3, null].map(classOf), ["fell3", "same", "rose3", "none"]);
    same([-0.1, -0.2, 1.0999999999999999, -2, null].map((mean) => rankOf(mean, [0.2, 1, 2])), [-0, -1, 2, -3, null]);
    same(rankOf(0.1 + 0.2 - 0.1, [0.2, 1, 2]), 1);
});

Deno.test("points are those of a zone, of probes, or by hand", () => {
    const points = [
        pointOf({ device: "in" }),
        pointOf({ device: "out", latitude: 50 }),
        pointOf({ device: "hand", byHand: true }),
        pointOf({ device: "site", site: true, latitude: 50 }),
    ];
    /** @param {Parameters<typeof filtered>[1]} filter */
    const shown = (filter) => filtered(points, filter, [zoneOf({})]).map(({ device }) => device);
    same(shown({ zone: null, kind: "all" }), ["in", "out", "hand", "site"]);
    same(shown({ zone: "1", kind: "all" }), ["in", "hand"]);
    same(shown({ zone: "1", kind: "byHand" }), ["hand"]);
    same(shown({ zone: null, kind: "probes" }), ["in", "out"]);
    same(shown({ zone: "gone", kind: "all" }).length, 4);
    same(listed([zoneOf({ id: "2", name: "B" }), zoneOf({ id: "3", name: "A" }), zoneOf({ id: "4", name: "C", favourite: true })], "en").map(({ id }) => id), ["4", "3", "2"]);
});

Deno.test("the unit is that of most devices, where equal changes are equal", () => {
    /** @param {string} unit @param {number | null} factor */
    const list = (unit, factor) => ({ items: [{ name: "salinity", unit, decimals: 1, scale: { unit: "ppt", decimals: 1, factor, offset: 0, table: null } }] });
    same(unitOf([list("ppt", 1), list("SG", null), list("SG", null)], "salinity"), { unit: "ppt", count: 1, decimals: 1 });
    same(unitOf([list("ppt", 1), list("psu", 1), list("psu", 1)], "salinity")?.unit, "psu");
    same(unitOf([list("ppt", 1)], "ph"), null);
});

Deno.test("a place is inside an outline, across the meridian where longitudes begin too", () => {
    const { outline } = zoneOf({});
    ok(isInside({ latitude: 48, longitude: 16 }, outline));
    ok(!isInside({ latitude: 48, longitude: 18 }, outline) && !isInside({ latitude: 46, longitude: 16 }, outline) && !isInside({ latitude: 48, longitude: 14 }, outline));
    const bay = [{ latitude: 0, longitude: 0 }, { latitude: 4, longitude: 0 }, { latitude: 4, longitude: 4 }, { latitude: 1, longitude: 2 }, { latitude: 0, longitude: 4 }];
    ok(isInside({ latitude: 2, longitude: 1 }, bay) && !isInside({ latitude: 1.2, longitude: 3.5 }, bay));
    const pacific = [{ latitude: -1, longitude: 179 }, { latitude: 1, longitude: 179 }, { latitude: 1, longitude: -179 }, { latitude: -1, longitude: -179 }];
    ok(isInside({ latitude: 0, longitude: 180 }, pacific) && isInside({ latitude: 0, longitude: -179.5 }, pacific) && !isInside({ latitude: 0, longitude: 0 }, pacific));
    ok(!isInside({ latitude: 0, longitude: 0 }, []));
});

Deno.test("the outline around places holds them all, and is one that the service takes", () => {
    let seed = 7;
    const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    for (const count of [1, 2, 3, 20, 21, 500]) {
        const places = Array.from({ length: count }, () => ({ latitude: 48 + random(), longitude: 16 + random() }));
        const outline = outlineAround(places);
        ok(outline.length >= 3 && outline.length <= 200, `${count}: ${outline.length}`);
        ok(!crosses(outline), `${count} cross`);
        for (const place of places) ok(isInside(place, outline), `${count}: ${JSON.stringify(place)}`);
    }
    const circle = Array.from({ length: 500 }, (_, index) => ({ latitude: Math.sin(index), longitude: Math.cos(index) }));
    ok(outlineAround(circle).length <= 200);
    ok(outlineAround([{ latitude: 0, longitude: 179.9999 }, { latitude: 0, longitude: -179.9999 }]).every(({ longitude }) => Math.abs(longitude) > 170));
});

Deno.test("sides that cross or touch are seen", () => {
    /** @param {[number, number][]} places */
    const of = (places) => crosses(places.map(([latitude, longitude]) => ({ latitude, longitude })));
    same(of([[0, 0], [1, 1], [0, 1], [1, 0]]), true);
    same(of([[0, 0], [0, 4], [4, 4], [4, 3], [0, 3], [4, 2]]), true);
    same(of([[0, 0], [0, 4], [1, 4], [1, 3], [0, 3], [0, 2], [1, 1]]), true);
    same(of([[0, 0], [0, 1], [1, 1], [1, 0]]), false);
    same(of([[0, 0], [0, 1], [0, 2], [1, 2], [1, 0]]), false, "a corner on a straight line");
    same(of([]), false);
});

Deno.test("the place under a point is the one that stands there", () => {
    const view = { x: 0.54, y: 0.35, zoom: 12.3 };
    const size = { width: 400, height: 300 };
    const place = placeAt({ x: 37, y: 250 }, view, size);
    const { x, y } = positionOf(place, view, size);
    ok(Math.abs(x - 37) < 1e-6 && Math.abs(y - 250) < 1e-6);
});

Deno.test("each kind of point has a mark of its own", () => {
    const marks = [null, -3, -2, -1, 0, 1, 2, 3].flatMap((rank) => [true, false].flatMap((square) => [true, false].map((outside) => spriteOf(rank, square, outside))));
    same(new Set(marks).size, 32);
    ok(Math.min(...marks) === 0 && Math.max(...marks) === 31);
});

Deno.test("zones are there again without a connection, and change in the version that is known", async () => {
    /** @type {unknown[][]} */
    const asked = [];
    const disk = new Map();
    let isAway = false;
    /** @type {Problem | null} */
    let fault = null;
    /** @param {unknown[]} question @param {unknown} data */
    const answer = (question, data) => {
        asked.push(question);
        if (fault && question[0] !== "get") return Promise.reject(fault);
        return isAway ? Promise.reject(new TypeError("away")) : Promise.resolve({ data });
    };
    const api = {
        get: (/** @type {unknown[]} */ ...all) => answer(["get", ...all], [zoneOf({})]),
        post: (/** @type {unknown[]} */ ...all) => answer(["post", ...all], zoneOf({ id: "2", name: "Lake" })),
        put: (/** @type {unknown[]} */ ...all) => answer(["put", ...all], zoneOf({ favourite: true, version: 2 })),
        delete: (/** @type {unknown[]} */ ...all) => answer(["delete", ...all], null),
    };
    const store = {
        account: signal({ createdAt: "2026-01-01" }),
        keep: (/** @type {string} */ key, /** @type {unknown} */ value) => Promise.resolve(disk.set(key, value)),
        kept: (/** @type {string} */ key) => Promise.resolve(disk.get(key)),
    };
    const zones = createZones(/** @type {any} */ ({ api, store }));
    await zones.read();
    same(zones.listed.value.told?.map(({ name }) => name), ["River"]);
    await zones.change(zoneOf({}), { favourite: true });
    const { name, outline } = zoneOf({});
    same(asked.at(-1), ["put", "/zones/1", { name, outline, favourite: true }, { ifMatch: '"v1"' }]);
    same(zones.listed.value.told?.[0].version, 2);
    await zones.draw({ name: "Lake", outline, favourite: false }, "42");
    same(/** @type {any} */ (asked.at(-1)?.[2]).project, "42");
    same(zones.listed.value.told?.length, 2);
    await zones.remove(zoneOf({ id: "2" }));
    same(zones.listed.value.told?.length, 1);
    isAway = true;
    const later = createZones(/** @type {any} */ ({ api, store }));
    await later.read();
    same(later.listed.value.told?.map(({ version }) => version), [2]);
    ok(later.listed.value.trouble instanceof TypeError);
    isAway = false;
    fault = new Problem(412, { title: "It was changed" }, null);
    const before = asked.length;
    await rejects(zones.change(zoneOf({}), { name: "Brook" }), Problem);
    fault = null;
    await zones.read();
    same(asked.slice(before).filter(([kind]) => kind === "get").length, 2, "what was changed by somebody else is read again");
    store.account.value = /** @type {any} */ ({ createdAt: "2026-02-02" });
    same(later.listed.value.told, null, "another person's are forgotten");
});

// MARK: Zones that are kept

Deno.test("a zone is kept with a month of each value, those of the one that is looked at first", () => {
    const { outline } = zoneOf({});
    const wish = {
        parameters: [{ name: "ph", unit: null }, { name: "temperature", unit: "°F" }],
        probes: [{ device: "weir 1", names: ["temperature", "ph"] }, { device: "weir-2", names: ["temperature"] }],
        now,
        most: 4,
    };
    const pages = pagesOf(outline, wish).map((page) => new URL(page, "https://api.invalid"));
    same(pages.map(({ pathname }) => pathname), ["/map/change", "/map/change", "/devices/weir%201/parameters/ph/series", "/devices/weir%201/parameters/temperature/series"]);
    const { west, south, east, north } = boundsAround(outline);
    same(Object.fromEntries(pages[0].searchParams), {
        parameter: "ph",
        from: "2026-10-26T14:00:00.000Z",
        to: "2026-11-25T14:00:00.000Z",
        span: "24",
        bbox: `${west},${south},${east},${north}`,
    });
    same(pages[1].searchParams.get("unit"), "°F");
    same(Object.fromEntries(pages[2].searchParams), { from: "2026-10-26T14:00:00.000Z", until: "2026-11-25T14:00:00.000Z", points: "160" });
    const [first, second, series] = pagesOf(outline, wish);
    same([first, second, series].map((page) => isChangeOf(page, "ph", outline)), [true, false, false]);
    same(isChangeOf(first, "ph", null), true);
    same(isChangeOf(first, "ph", outline.map(({ latitude, longitude }) => ({ latitude: latitude + 1, longitude }))), false, "another zone's");
});

Deno.test("a zone that comes for somebody who has left is nothing of the next person's", async () => {
    const store = { account: signal(/** @type {any} */ ({ createdAt: "2026-01-01" })), keep: () => Promise.resolve(), kept: () => Promise.resolve() };
    /** @type {(answer: any) => void} */
    let answer = () => {};
    const api = { post: () => new Promise((resolve) => answer = resolve) };
    const zones = createZones(/** @type {any} */ ({ api, store }));
    const drawn = zones.draw(zoneOf({}), null);
    store.account.value = { createdAt: "2026-02-02" };
    answer({ data: zoneOf({}) });
    await drawn;
    same(zones.listed.value.told, null);
});
