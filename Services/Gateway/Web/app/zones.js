/** Zones of the map: read when somebody looks at it, changed by the person, and kept on this device for when there is no connection. */

import { signal } from "../page/signals.js";
import { Problem } from "../words/problem.js";
import { createCoalesced } from "./coalesced.js";
import { versionTag } from "./versions.js";

/** @typedef {import("../water/change.js").Zone} Zone */
/** @typedef {Pick<Zone, 'name' | 'outline' | 'favourite'>} ZoneContent */
/** @typedef {ReturnType<typeof createZones>} Zones */

/** @type {WeakMap<object, Zones>} */
const all = new WeakMap();

/**
 * The zones that all screens share.
 * @param {{api: import("./api.js").API, store: import("./store.js").Store}} context
 * @returns {Zones}
 */
export function zonesOf(context) {
    let zones = all.get(context.store);
    if (!zones) all.set(context.store, zones = createZones(context));
    return zones;
}

/**
 * @param {object} parts
 * @param {Pick<import("./api.js").API, 'get' | 'post' | 'put' | 'delete'>} parts.api
 * @param {Pick<import("./store.js").Store, 'account' | 'keep' | 'kept'>} parts.store
 */
export function createZones({ api, store }) {
    const listed = signal(/** @type {{told: Zone[] | null, trouble: unknown}} */ ({ told: null, trouble: null }));
    let owner = store.account.value?.createdAt;
    store.account.subscribe(() => {
        const next = store.account.value?.createdAt;
        if (next === owner) return;
        owner = next;
        listed.value = { told: null, trouble: null };
    });

    const reading = createCoalesced(async () => {
        const mine = owner;
        try {
            const { data } = await api.get("/zones");
            if (mine === owner) tell(data);
        } catch (trouble) {
            const told = listed.value.told ?? await store.kept("zones") ?? null;
            if (mine === owner) listed.value = { told, trouble };
        }
    });

    /** @param {Zone[]} told */
    function tell(told) {
        listed.value = { told, trouble: null };
        void store.keep("zones", told);
    }

    /**
     * Changes a zone, for whoever is here still when it is done.
     * @template T
     * @param {() => Promise<{data: T}>} ask
     * @param {(told: Zone[], done: T) => Zone[]} change
     * @returns {Promise<T>}
     */
    async function make(ask, change) {
        const mine = owner;
        try {
            const { data } = await ask();
            if (mine === owner) tell(change(listed.value.told ?? [], data));
            return data;
        } catch (error) {
            // Somebody else has changed or removed it: the next press is about what it is now.
            if (error instanceof Problem && [404, 412].includes(error.status)) void reading.ask();
            throw error;
        }
    }

    /**
     * @param {Zone[]} told
     * @param {Zone} zone
     */
    const withZone = (told, zone) => told.some(({ id }) => id === zone.id) ? told.map((one) => one.id === zone.id ? zone : one) : [...told, zone];

    /** @param {string} id */
    const pathOf = (id) => `/zones/${encodeURIComponent(id)}`;

    return {
        listed,
        read: reading.ask,

        /**
         * @param {ZoneContent} content
         * @param {string | null} project null: for the person themselves.
         * @returns {Promise<Zone>}
         */
        draw: (content, project) => make(() => api.post("/zones", project === null ? content : { ...content, project }, { once: true }), withZone),

        /**
         * @param {Zone} zone
         * @param {Partial<ZoneContent>} change
         * @returns {Promise<Zone>}
         */
        change(zone, change) {
            const { name, outline, favourite } = zone;
            return make(() => api.put(pathOf(zone.id), { name, outline, favourite, ...change }, { ifMatch: versionTag(zone.version) }), withZone);
        },

        /** @param {Zone} zone */
        remove: ({ id }) => make(() => api.delete(pathOf(id)), (told) => told.filter((zone) => zone.id !== id)),
    };
}
