/** Zones of the map: read when somebody looks at it, changed by the person, and kept on this device for when there is no connection. */

import { signal } from "../page/signals.js";
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

    /** @param {Zone} zone */
    function take(zone) {
        const told = listed.value.told ?? [];
        const isNew = told.every(({ id }) => id !== zone.id);
        tell(isNew ? [...told, zone] : told.map((one) => one.id === zone.id ? zone : one));
        return zone;
    }

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
        draw: async (content, project) => take((await api.post("/zones", project === null ? content : { ...content, project }, { once: true })).data),

        /**
         * @param {Zone} zone
         * @param {Partial<ZoneContent>} change
         * @returns {Promise<Zone>}
         */
        async change(zone, change) {
            const { name, outline, favourite } = zone;
            return take((await api.put(pathOf(zone.id), { name, outline, favourite, ...change }, { ifMatch: versionTag(zone.version) })).data);
        },

        /** @param {Zone} zone */
        async remove({ id }) {
            await api.delete(pathOf(id));
            tell((listed.value.told ?? []).filter((zone) => zone.id !== id));
        },
    };
}
