/** Areas of the map that are kept: which tiles they have, and the queue that brings them, through everything that comes between. */

import { deepStrictEqual as same, rejects } from "node:assert/strict";
import { createAreas, mostAreas, NoRoom } from "../../Services/Gateway/Web/app/areas.js";
import { boundsOf, countOf, depthsOf, tileAt, within } from "../../Services/Gateway/Web/drawing/areas.js";
import { tilesOf } from "../../Services/Gateway/Web/drawing/mercator.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import { NoAnswer, Problem } from "../../Services/Gateway/Web/words/problem.js";

const world = { west: -180, south: -85.0511, east: 180, north: 85.0511 };
const vienna = { west: 16.2, south: 48.1, east: 16.6, north: 48.3 };
const extent = { ...world, leastZoom: 0, mostZoom: 12, tileBytes: 10_000 };

/** @param {import("../../Services/Gateway/Web/drawing/areas.js").Area} area */
const tilesIn = (area) => Array.from({ length: countOf(area) }, (_, number) => tileAt(area, number)).map((tile) => tile && `${tile.z}/${tile.x}/${tile.y}`);

// MARK: Which tiles

Deno.test("the world has all tiles of its levels, each once", () => {
    const tiles = tilesIn({ bounds: world, least: 0, most: 3 });
    same(tiles.length, 1 + 4 + 16 + 64);
    same(new Set(tiles).size, tiles.length);
    same(tileAt({ bounds: world, least: 0, most: 3 }, tiles.length), null);
    same(countOf({ bounds: world, least: 4, most: 3 }), 0);
});

Deno.test("an area has the tiles that a window of it shows, at each level", () => {
    const size = { width: 700, height: 500 };
    for (const at of [{ x: 0.545, y: 0.347 }, { x: 0.001, y: 0.5 }, { x: 0.999, y: 0.02 }]) {
        for (const zoom of [3, 6, 9.4, 12]) {
            const view = { ...at, zoom };
            const z = Math.round(zoom);
            const kept = new Set(tilesIn({ bounds: boundsOf(view, size), least: z, most: z }));
            for (const { x, y } of tilesOf(view, size)) same(kept.has(`${z}/${x}/${y}`), true, `${z}/${x}/${y} of ${JSON.stringify(view)}`);
            // One more column and row at most.
            same(kept.size <= (Math.ceil(700 / 256 * 2) + 1) * (Math.ceil(500 / 256 * 2) + 1), true, `${kept.size} tiles`);
        }
    }
});

Deno.test("across the date line an area goes on", () => {
    same(tilesIn({ bounds: { west: 170, south: -10, east: -170, north: -1 }, least: 4, most: 4 }), ["4/15/8", "4/0/8"]);
    same(countOf({ bounds: { west: 170, south: -10, east: -170, north: -1 }, least: 0, most: 0 }), 1);
});

Deno.test("an area is cut to what the map has", () => {
    same(within(vienna, { west: 16.3, south: 40, east: 20, north: 48.2 }), { west: 16.3, south: 48.1, east: 16.6, north: 48.2 });
    same(within(vienna, { west: 17, south: 40, east: 20, north: 50 }), null);
    same(within(vienna, { west: 10, south: 49, east: 20, north: 50 }), null);
    same(within({ ...vienna, west: 170, east: -170 }, { ...world, south: 48.2 })?.south, 48.2);
});

Deno.test("depths are offered once each, with what they take", () => {
    const depths = depthsOf(vienna, 8.2, extent);
    same(depths.map(({ most }) => most), [8, 10, 12]);
    same(depths.map(({ count, bytes }) => bytes === count * 10_000), [true, true, true]);
    same(depthsOf(vienna, 11, extent).map(({ most }) => most), [11, 12]);
    same(depthsOf(vienna, 15, extent).map(({ most }) => most), [12]);
    same(depthsOf(vienna, 12, { ...extent, tileBytes: 0 })[0].bytes > 0, true);
});

Deno.test("a map's last level is enlarged, and far from its first there is none", () => {
    const size = { width: 256, height: 256 };
    const levels = { leastZoom: 6, mostZoom: 10 };
    same(tilesOf({ x: 0.5, y: 0.4, zoom: 12 }, size, levels).every(({ z, size }) => z === 10 && size === 1_024), true);
    same(tilesOf({ x: 0.5, y: 0.4, zoom: 5 }, size, levels).every(({ z }) => z === 6), true);
    same(tilesOf({ x: 0.5, y: 0.4, zoom: 3 }, size, levels), []);
});

// MARK: The queue

const name = "Danube";
const wish = { name, bounds: vienna, least: 0, most: 10, tiles: "/tiles/{z}/{x}/{y}?v=1", expected: 1_000 };
const count = countOf(wish);

/** A phone: what is on its disk outlives the app. */
function createPhone() {
    /** @type {Map<string, any>} */
    const disk = new Map();
    /** @type {Map<string, Map<string, Response>>} */
    const kept = new Map();
    const caches = /** @type {any} */ ({
        open: (/** @type {string} */ name) => {
            const entries = kept.get(name) ?? new Map();
            kept.set(name, entries);
            return Promise.resolve({
                keys: () => Promise.resolve([...entries.keys()].map((address) => ({ url: `https://water.example${address}` }))),
                delete: (/** @type {{url: string}} */ { url }) => Promise.resolve(entries.delete(url.replace("https://water.example", ""))),
                match: (/** @type {string} */ address) => Promise.resolve(entries.get(address)?.clone()),
                put: (/** @type {string} */ address, /** @type {Response} */ response) => {
                    if (phone.isFull) return Promise.reject(new DOMException("no room", "QuotaExceededError"));
                    return Promise.resolve(void entries.set(address, response));
                },
            });
        },
        delete: (/** @type {string} */ name) => Promise.resolve(kept.delete(name)),
        keys: () => Promise.resolve([...kept.keys()]),
    });
    const phone = {
        disk,
        kept,
        caches,
        isFull: false,
        quota: 1e9,
        /** Whether the connection is none by which areas are brought. */
        waits: false,
        clock: 0,
        /** What was asked of the service. @type {string[]} */
        asked: [],
        /** @type {(address: string, signal: AbortSignal) => Promise<Response>} */
        answer: () => Promise.resolve(new Response(new Uint8Array(100), { headers: { "Content-Type": "image/png" } })),
        /** @type {(path: string, query: Record<string, string>) => Promise<any>} */
        page: (path, query) => Promise.resolve({ data: { path, query } }),
        /** What is to be done later. @type {{run: () => void, wait: number}[]} */
        timers: [],
        /** The most at once. */
        busiest: 0,
        open,
    };

    /** The app, opened. */
    function open() {
        const account = signal(/** @type {any} */ ({ createdAt: "2026" }));
        let busy = 0;
        let ids = disk.size;
        const areas = createAreas({
            api: /** @type {any} */ ({
                get(/** @type {string} */ path, /** @type {any} */ { query }) {
                    phone.asked.push(path);
                    return phone.page(path, query);
                },
            }),
            store: /** @type {any} */ ({
                account,
                kept: (/** @type {string} */ key) => Promise.resolve(structuredClone(disk.get(key))),
                keep: (/** @type {string} */ key, /** @type {any} */ value) => Promise.resolve(account.value ? (disk.set(key, structuredClone(value)), key) : undefined),
            }),
            caches,
            async ask(address, signal) {
                phone.asked.push(address);
                busy += 1;
                phone.busiest = Math.max(phone.busiest, busy);
                try {
                    return await phone.answer(address, signal);
                } finally {
                    busy -= 1;
                }
            },
            locks: null,
            storage: /** @type {any} */ ({ estimate: () => Promise.resolve({ quota: phone.quota, usage: 0 }), persist: () => Promise.resolve(true) }),
            scope: "",
            later: (run, wait) => phone.timers.push({ run, wait }),
            waits: () => phone.waits,
            now: () => phone.clock,
            newID: () => `${ids += 1}`,
        });
        return { ...areas, account };
    }
    return phone;
}

/** @param {{disk: Map<string, any>}} phone */
const listOf = ({ disk }) => disk.get("areas") ?? [];

Deno.test("an area comes whole, two tiles at once, and is known to be here", async () => {
    const phone = createPhone();
    const areas = phone.open();
    await areas.add({ ...wish, pages: ["/map/change?parameter=ph"] });
    await areas.go();
    const [area] = areas.shown.value;
    same([area.state, area.next, area.count, area.bytes > 100 * count], ["done", count + 1, count + 1, true]);
    same([phone.kept.get(`map-${area.id}`)?.size, phone.asked.length, phone.busiest], [count + 1, count + 1, 2]);
    same(phone.asked.includes("/tiles/0/0/0?v=1"), true);
    // A path with a query in it would be of the person where they act for a project.
    same(await areas.page("/map/change?parameter=ph"), { path: "/map/change", query: { parameter: "ph" } });
    same(await areas.page("/map/change?parameter=no2"), undefined);
});

/** The app is killed behind each answer of the service, and opened again. */
Deno.test("a reload at any moment loses nothing, and little is asked for twice", async () => {
    for (let killed = 1; killed < count; killed += 7) {
        const phone = createPhone();
        const { answer } = phone;
        let left = killed;
        phone.answer = (address, signal) => left-- > 0 ? answer(address, signal) : new Promise(() => {});
        const first = phone.open();
        await first.add(wish);
        await new Promise((resolve) => setTimeout(resolve));
        phone.answer = answer;
        const second = phone.open();
        await second.go();
        same(second.shown.value.map(({ state, next, bytes }) => [state, next, bytes]), [["done", count, 100 * count]], `killed behind ${killed}`);
        same(phone.asked.length <= count + 2, true, `${phone.asked.length} questions`);
    }
});

Deno.test("an area is brought anew: the map of now and pages of now, and what was here stays until all of it is", async () => {
    const phone = createPhone();
    const areas = phone.open();
    const page = "/map/change?parameter=ph&from=2026-10-01T00%3A00%3A00.000Z&to=2026-11-01T00%3A00%3A00.000Z&span=24&bbox=1%2C2%2C3%2C4";
    await areas.add({ ...wish, pages: [page] });
    await areas.go();
    phone.clock = 3 * 86_400_000 + 59 * 60_000;
    const { answer } = phone;
    phone.answer = () => Promise.reject(new TypeError("Failed to fetch"));
    const [{ id }] = areas.shown.value;
    const anew = "/tiles/{z}/{x}/{y}?v=2";
    await areas.renew(id, anew);
    await areas.go();
    same([areas.shown.value[0].state, phone.kept.get(`map-${id}`)?.has("/tiles/0/0/0?v=1")], ["going", true]);
    same(await areas.page(page), { path: "/map/change", query: Object.fromEntries(new URLSearchParams(page.split("?")[1])) });
    phone.answer = answer;
    const again = phone.open();
    await again.go();
    const [area] = again.shown.value;
    same([area.state, area.at, area.tiles, area.former, area.count], ["done", phone.clock, anew, undefined, count + 1]);
    same(area.pages, ["/map/change?parameter=ph&from=2026-10-04T00%3A00%3A00.000Z&to=2026-11-04T00%3A00%3A00.000Z&span=24&bbox=1%2C2%2C3%2C4"]);
    same(phone.kept.get(`map-${id}`)?.size, count + 1, "nothing of before is left");
    phone.quota = 10;
    await rejects(again.renew(id, wish.tiles), (error) => error instanceof NoRoom && error.reason === "disk");
    same(again.shown.value[0].state, "done");
});

Deno.test("by Wi-Fi alone nothing comes by another connection, and goes on when it changes", async () => {
    const phone = createPhone();
    const areas = phone.open();
    phone.waits = true;
    await areas.add(wish);
    await areas.go();
    same([areas.shown.value[0].state, areas.trouble.value, phone.asked, phone.timers], ["going", "wifi", [], []]);
    phone.waits = false;
    await areas.go();
    same([areas.shown.value[0].state, areas.trouble.value], ["done", ""]);
});

Deno.test("a pause holds until somebody goes on", async () => {
    const phone = createPhone();
    const { answer } = phone;
    phone.answer = (_, signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const areas = phone.open();
    await areas.add(wish);
    const { id } = areas.shown.value[0];
    await areas.pause(id);
    await areas.go();
    same([areas.shown.value[0].state, areas.trouble.value, phone.timers.length], ["paused", "", 0]);
    phone.answer = answer;
    await phone.open().go();
    same(listOf(phone)[0].state, "paused");
    await areas.resume(id);
    await areas.go();
    same(listOf(phone)[0].state, "done");
});

Deno.test("without a connection it waits, and goes on", async () => {
    const phone = createPhone();
    const { answer } = phone;
    const areas = phone.open();
    for (const [fault, told] of /** @type {[() => Promise<Response>, string][]} */ ([
        [() => Promise.reject(new TypeError("Failed to fetch")), "offline"],
        [() => Promise.resolve(new Response(null, { status: 503, headers: { "Retry-After": "60" } })), "service"],
    ])) {
        phone.answer = fault;
        phone.timers = [];
        await areas.add({ ...wish, name: told });
        await areas.go();
        const area = areas.shown.value.find(({ name }) => name === told);
        same([area?.state, areas.trouble.value, phone.timers[0].wait], ["going", told, told === "service" ? 60_000 : 30_000]);
        phone.answer = answer;
        phone.timers[0].run();
        await areas.go();
        same([areas.shown.value.at(-1)?.state, areas.trouble.value], ["done", ""]);
    }
});

Deno.test("a page that is gone keeps nothing from coming, and one that is late is waited for", async () => {
    const phone = createPhone();
    phone.page = () => Promise.reject(new Problem(404, { title: "Not found" }, null));
    const areas = phone.open();
    await areas.add({ ...wish, pages: ["/map/change?zone=1"] });
    await areas.go();
    same(areas.shown.value[0].state, "done");
    same(await areas.page("/map/change?zone=1"), undefined);
    phone.page = () => Promise.reject(new NoAnswer(true));
    await areas.add({ ...wish, pages: ["/map/change?zone=2"] });
    await areas.go();
    same([areas.shown.value[1].state, areas.trouble.value], ["going", "offline"]);
});

Deno.test("what a map does not have is no trouble", async () => {
    const phone = createPhone();
    phone.answer = () => Promise.resolve(new Response(null, { status: 204 }));
    const areas = phone.open();
    await areas.add(wish);
    await areas.go();
    same([areas.shown.value[0].state, areas.shown.value[0].bytes, phone.kept.get("map-1")?.size], ["done", 0, 0]);
});

Deno.test("there is room for so much, which is looked for before", async () => {
    const phone = createPhone();
    const areas = phone.open();
    const refused = (/** @type {string} */ reason) => (/** @type {unknown} */ error) => error instanceof NoRoom && error.reason === reason;
    await rejects(areas.add({ ...wish, expected: 200_000_001 }), refused("most"));
    await rejects(areas.add({ ...wish, bounds: world, most: 12 }), refused("most"));
    await rejects(areas.add({ ...wish, pages: new Array(63).fill("/x") }), refused("most"));
    phone.quota = 1_000;
    await rejects(areas.add(wish), refused("disk"));
    phone.quota = 1e9;
    phone.disk.set("areas", Array.from({ length: mostAreas }, (_, id) => ({ ...wish, pages: [], id: `${id}`, at: 0, next: 0, count: 1, bytes: 0, state: "paused" })));
    await rejects(areas.add(wish), refused("areas"));
    same(phone.asked, []);
});

Deno.test("a full disk is told, and what is here stays", async () => {
    const phone = createPhone();
    const { answer } = phone;
    let left = 10;
    phone.answer = (address, signal) => {
        phone.isFull = left-- <= 0;
        return answer(address, signal);
    };
    const areas = phone.open();
    await areas.add(wish);
    await areas.go();
    same([areas.shown.value[0].state, areas.trouble.value], ["full", ""]);
    same((phone.kept.get("map-1")?.size ?? 0) >= 9, true);
    // The bound of all areas likewise, whatever was expected.
    const other = createPhone();
    other.answer = () => Promise.resolve(new Response(new Uint8Array(12_000_000)));
    const large = other.open();
    await large.add({ ...wish, most: 12 });
    await large.go();
    same([large.shown.value[0].state, large.bytes() >= 200_000_000 && large.bytes() < 230_000_000], ["full", true]);
});

Deno.test("a deleted area leaves nothing behind, in the middle of its way as well", async () => {
    const phone = createPhone();
    phone.answer = (_, signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const areas = phone.open();
    await areas.add(wish);
    await areas.remove(areas.shown.value[0].id);
    await areas.go();
    same([listOf(phone), [...phone.kept.keys()], phone.timers], [[], [], []]);
});

Deno.test("what was begun for one person is over when they leave", async () => {
    const phone = createPhone();
    phone.answer = (_, signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const areas = phone.open();
    await areas.add(wish);
    areas.account.value = null;
    await areas.go();
    same([areas.shown.value, phone.timers], [[], []]);
    const before = phone.asked.length;
    await areas.go();
    same(phone.asked.length, before);
});

Deno.test("who leaves while the list is read has nothing more brought", async () => {
    const phone = createPhone();
    const { answer } = phone;
    phone.answer = (_, signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    await phone.open().add(wish);
    await new Promise((resolve) => setTimeout(resolve));
    phone.answer = answer;
    const areas = phone.open();
    const before = phone.asked.length;
    const going = areas.go();
    areas.account.value = null;
    await going;
    same([phone.asked.length, phone.timers.length], [before, 0]);
});
