/**
 * Areas of the service's own map that are kept on this device for times without a connection, with what was read about them: a queue that
 * everybody sees, that can be paused, and that goes on after a reload.
 */

import { countOf, tileAt } from "../drawing/areas.js";
import { addressOf } from "../drawing/mercator.js";
import { signal } from "../page/signals.js";
import { laterPage } from "../water/kept-zone.js";
import { NoAnswer, Problem, SignedOut } from "../words/problem.js";
import { createCoalesced } from "./coalesced.js";
import { mapCache } from "./disk.js";
import { networkOf, NoWifi, wifiOnly } from "./network.js";

/**
 * @typedef {'going' | 'paused' | 'full' | 'done'} State `full`: this device, or what may be kept, has no room for more.
 *
 * @typedef {object} Wish
 * @property {string} name
 * @property {import("../drawing/areas.js").Bounds} bounds
 * @property {number} least The first zoom level.
 * @property {number} most The last one.
 * @property {string} tiles The template of the tiles' addresses.
 * @property {number} expected About how many bytes all of it takes.
 * @property {readonly string[]} [pages] Paths of the API, with their queries, whose answers are kept as well.
 *
 * @typedef {Required<Omit<Wish, 'expected'>> & {id: string, at: number, next: number, count: number, bytes: number, state: State, former?: readonly string[]}} Area
 *     `next`: how many pages and tiles are here, or are known not to exist. former: pages that are here until all of it was brought anew.
 */

/** @typedef {ReturnType<typeof createAreas>} Areas */

/** In all areas together, in bytes. */
export const mostBytes = 200_000_000;
export const mostAreas = 20;
const mostTiles = 20_000;
/** With an area. */
export const mostPages = 62;
/** Of what the browser gives this app, which keeps more than maps. */
const share = 0.8;
/** How many are fetched at once. */
const atOnce = 2;
/** How often it is noted how far it has come. */
const grain = 20;
const pause = 30_000;
const key = "areas";
const lock = "aqua-areas";

/** There is no room: `most` is what areas may take, `disk` what this device has. */
export class NoRoom extends Error {
    /** @param {'most' | 'disk' | 'areas' | 'unkept'} reason `unkept`: this browser keeps nothing. */
    constructor(reason) {
        super(reason);
        this.reason = reason;
    }
}

/** The service has no time. */
class Later extends Error {
    /** @param {number} wait In milliseconds. */
    constructor(wait) {
        super("later");
        this.wait = wait;
    }
}

/** @type {WeakMap<object, Areas>} */
const all = new WeakMap();

/**
 * The areas that all screens of one person share.
 * @param {Pick<import("./context.js").Context, 'api' | 'store' | 'acting' | 'preferences'>} context
 * @returns {Areas}
 */
export function areasOf({ api, store, acting, preferences }) {
    let areas = all.get(store);
    if (!areas) {
        areas = createAreas({
            api,
            store,
            caches,
            ask: (address, signal) => fetch(address, { signal, credentials: "omit" }),
            locks: navigator.locks ?? null,
            storage: navigator.storage ?? null,
            scope: acting ? `project ${acting.id} ` : "",
            waits: () => preferences.has(wifiOnly) && networkOf()?.type === "cellular",
        });
        const { go } = areas;
        addEventListener("online", () => void go());
        networkOf()?.addEventListener("change", () => void go());
        document.addEventListener("visibilitychange", () => document.hidden || void go());
        all.set(store, areas);
    }
    return areas;
}

/**
 * @param {object} parts
 * @param {Pick<import("./api.js").API, 'get'>} parts.api
 * @param {Pick<import("./store.js").Store, 'account' | 'keep' | 'kept'>} parts.store
 * @param {Pick<CacheStorage, 'open' | 'delete' | 'keys'>} parts.caches
 * @param {(address: string, signal: AbortSignal) => Promise<Response>} parts.ask
 * @param {Pick<LockManager, 'request'> | null} parts.locks
 * @param {Pick<StorageManager, 'estimate' | 'persist'> | null} parts.storage
 * @param {() => boolean} [parts.waits] Whether nothing is brought by the present connection.
 * @param {string} parts.scope For whom this window acts.
 * @param {(run: () => void, wait: number) => unknown} [parts.later]
 * @param {() => number} [parts.now]
 * @param {() => string} [parts.newID]
 */
export function createAreas(
    { api, store, caches, ask, locks, storage, scope, waits = () => false, later = setTimeout, now = Date.now, newID = () => crypto.randomUUID() },
) {
    /** Those that were asked for, the oldest first. */
    const shown = signal(/** @type {readonly Area[]} */ ([]));
    /** Why nothing comes at the moment; empty: it does, or nothing is to come. */
    const trouble = signal(/** @type {'' | 'offline' | 'service' | 'wifi'} */ (""));
    let controller = new AbortController();
    const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel(lock) : null;
    if (channel) channel.onmessage = () => void read();
    // What was begun for a person ends with their session, before the next can see it.
    store.account.subscribe(() => {
        if (store.account.value) return;
        stop();
        shown.value = [];
    });

    /** @param {string} id */
    const cacheOf = (id) => `${mapCache}${scope}${id}`;

    function stop() {
        controller.abort();
        controller = new AbortController();
    }

    async function read() {
        shown.value = await store.kept(key) ?? [];
    }

    /**
     * Changes the list, also where another window has changed it.
     * @param {(areas: readonly Area[]) => readonly Area[]} make
     */
    async function rewrite(make) {
        const run = async () => {
            const next = make(await store.kept(key) ?? []);
            if (await store.keep(key, next) === undefined) throw new NoRoom("unkept");
            shown.value = next;
            channel?.postMessage(null);
            return next;
        };
        return await (locks ? locks.request(`${lock}-list`, run) : run());
    }

    /**
     * @param {string} id
     * @param {(area: Area) => Area} make
     * @returns {Promise<Area | undefined>} undefined: it was deleted.
     */
    async function change(id, make) {
        return (await rewrite((areas) => areas.map((area) => area.id === id ? make(area) : area))).find((area) => area.id === id);
    }

    const bytesOf = (/** @type {readonly Area[]} */ areas) => areas.reduce((sum, { bytes }) => sum + bytes, 0);

    /**
     * @param {number} expected In bytes.
     * @throws {NoRoom}
     */
    async function requireRoom(expected) {
        if (bytesOf(shown.value) + expected > mostBytes) throw new NoRoom("most");
        const room = await storage?.estimate?.().catch(() => null);
        if (room?.quota !== undefined && (room.usage ?? 0) + expected > share * room.quota) throw new NoRoom("disk");
    }

    /**
     * One page or tile of an area.
     * @param {Area} area
     * @param {number} number
     * @param {Cache} cache
     * @param {AbortSignal} signal
     * @returns {Promise<number>} Its bytes; 0 where there is none.
     */
    async function bring(area, number, cache, signal) {
        if (number < area.pages.length) return await bringPage(area.pages[number], cache, signal);
        const tile = tileAt(area, number - area.pages.length);
        if (!tile) return 0;
        const address = addressOf(area.tiles, tile);
        const known = await cache.match(address);
        if (known) return (await known.blob()).size;
        const response = await ask(address, signal);
        if (response.status === 204 || response.status === 404) return 0;
        if (!response.ok) throw new Later(1_000 * (Number(response.headers.get("Retry-After")) || 0));
        const picture = await response.blob();
        await cache.put(address, new Response(picture, { headers: { "Content-Type": picture.type } }));
        return picture.size;
    }

    /**
     * @param {string} path
     * @param {Cache} cache
     * @param {AbortSignal} signal
     */
    async function bringPage(path, cache, signal) {
        try {
            const { pathname, searchParams } = new URL(path, "https://api.invalid");
            // Whom a request is for is told by its path alone.
            const { data } = await api.get(pathname, { query: Object.fromEntries(searchParams), signal });
            const text = new Blob([JSON.stringify(data)], { type: "application/json" });
            await cache.put(`/api/v1${path}`, new Response(text));
            return text.size;
        } catch (error) {
            if (!(error instanceof Problem)) throw error;
            if (error.status === 429 || error.status >= 500) throw new Later(1_000 * (error.retryAfter ?? 0));
            // What is not there any more keeps nothing else from coming.
            return 0;
        }
    }

    /**
     * Brings what is left of an area; returns when it is complete, paused, deleted or full.
     * @param {Area} area
     * @param {AbortSignal} signal
     */
    async function fill(area, signal) {
        const cache = await caches.open(cacheOf(area.id));
        const others = bytesOf(shown.value.filter(({ id }) => id !== area.id));
        let { next, bytes } = area;
        let noted = next;
        while (next < area.count) {
            const numbers = Array.from({ length: Math.min(atOnce, area.count - next) }, (_, index) => next + index);
            if (waits()) throw new NoWifi();
            let isFull = others + bytes >= mostBytes;
            if (!isFull) {
                try {
                    const sizes = await Promise.all(numbers.map((number) => bring(area, number, cache, signal)));
                    next += sizes.length;
                    bytes += sizes.reduce((sum, size) => sum + size, 0);
                } catch (error) {
                    if (!(error instanceof DOMException) || error.name !== "QuotaExceededError") throw error;
                    isFull = true;
                }
            }
            signal.throwIfAborted();
            trouble.value = "";
            if (!isFull && next < area.count && next - noted < grain) continue;
            noted = next;
            const isDone = !isFull && next >= area.count;
            if (isDone && area.former) await tidy(area, cache);
            const now = await change(area.id, (known) => ({
                ...known,
                next,
                bytes,
                former: isDone ? undefined : known.former,
                state: known.state !== "going" ? known.state : isFull ? "full" : isDone ? "done" : "going",
            }));
            if (!now) await caches.delete(cacheOf(area.id));
            if (now?.state !== "going") return;
        }
    }

    /**
     * Takes away what an area had before it was brought anew.
     * @param {Area} area
     * @param {Cache} cache
     */
    async function tidy(area, cache) {
        const kept = new Set(area.pages.map((page) => `/api/v1${page}`));
        const tiles = Array.from({ length: area.count - area.pages.length }, (_, number) => tileAt(area, number));
        for (const tile of tiles) if (tile) kept.add(addressOf(area.tiles, tile));
        for (const request of await cache.keys()) {
            const { pathname, search } = new URL(request.url);
            if (!kept.has(pathname + search)) await cache.delete(request);
        }
    }

    const going = createCoalesced(async () => {
        const { signal } = controller;
        const run = async (/** @type {unknown} */ lock) => {
            // Another window is at it.
            if (locks && !lock) return;
            while (store.account.value) {
                await read();
                // Whoever signed out meanwhile, or paused what comes, has nothing more brought by this turn.
                signal.throwIfAborted();
                const area = shown.value.find(({ state }) => state === "going");
                if (!area) return;
                await fill(area, signal);
            }
        };
        try {
            await (locks ? locks.request(lock, { ifAvailable: true }, run) : run(null));
        } catch (error) {
            if (signal.aborted || error instanceof SignedOut) return;
            // Whatever changes the connection goes on with it.
            if (error instanceof NoWifi) return void (trouble.value = "wifi");
            trouble.value = error instanceof NoAnswer || error instanceof TypeError ? "offline" : "service";
            later(() => void go(), Math.max(pause, error instanceof Later ? error.wait : 0));
        }
    });

    /** Goes on with what is still to come. */
    async function go() {
        if (store.account.value) await going.ask();
    }

    /**
     * The page that was kept last of those that are wanted, as the service answered it.
     * @param {(path: string) => boolean} isWanted By its path with its query.
     * @returns {Promise<any>} undefined: none was kept.
     */
    async function find(isWanted) {
        if (shown.value.length === 0) await read();
        for (const { id, pages, former = [] } of [...shown.value].reverse()) {
            for (const path of [...pages, ...former].filter(isWanted)) {
                const kept = await (await caches.open(cacheOf(id))).match(`/api/v1${path}`);
                if (kept) return await kept.json();
            }
        }
        return undefined;
    }

    return {
        shown,
        trouble,
        read,
        go,

        /** The bytes of all areas. */
        bytes: () => bytesOf(shown.value),

        /**
         * Asks for an area, after looking for room.
         * @param {Wish} wish
         * @throws {NoRoom}
         */
        async add({ expected, pages = [], ...wish }) {
            await read();
            const tiles = countOf(wish);
            if (tiles > mostTiles || pages.length > mostPages) throw new NoRoom("most");
            await requireRoom(expected);
            // Browsers clear last what they were asked to keep.
            await storage?.persist?.().catch(() => false);
            await rewrite((areas) => {
                if (areas.length >= mostAreas) throw new NoRoom("areas");
                return [...areas, { ...wish, pages, id: newID(), at: now(), next: 0, count: tiles + pages.length, bytes: 0, state: "going" }];
            });
            void go();
        },

        /** @param {string} id */
        async pause(id) {
            await change(id, (area) => area.state === "done" ? area : { ...area, state: "paused" });
            stop();
            void go();
        },

        /** @param {string} id */
        async resume(id) {
            await change(id, (area) => area.state === "done" ? area : { ...area, state: "going" });
            void go();
        },

        /**
         * Brings an area anew: the map as it is now, and its pages of as long before now as they were of before it was asked for. What is here
         * stays until all of it is.
         * @param {string} id
         * @param {string} tiles The template of the tiles' addresses now.
         * @throws {NoRoom}
         */
        async renew(id, tiles) {
            await read();
            const area = shown.value.find((one) => one.id === id);
            if (!area) return;
            if (tiles !== area.tiles) await requireRoom(area.bytes);
            await change(id, (known) => ({
                ...known, tiles, pages: known.pages.map((page) => laterPage(page, known.at, now())), at: now(), next: 0, bytes: 0, state: "going", former: known.pages,
            }));
            void go();
        },

        /** @param {string} id */
        async remove(id) {
            await rewrite((areas) => areas.filter((area) => area.id !== id));
            stop();
            await caches.delete(cacheOf(id));
            void go();
        },

        /**
         * What was kept of a page, as the service answered it.
         * @param {string} path With its query, as it was wished.
         * @returns {Promise<any>} undefined: it was not kept.
         */
        page: (path) => find((other) => other === path),
        find,
    };
}
