/**
 * Reads everything from the service: at the start, and whenever the stream of events says so.
 */

import { isLater, latestOf } from "./water.js";

/** @typedef {import("./water.js").Device} Device */
/** @typedef {import("./water.js").Latest} Latest */
/** @typedef {import("./water.js").ParameterList} ParameterList */

/**
 * @param {object} parts
 * @param {import("./api.js").API} parts.api
 * @param {import("./known.js").Known} parts.known
 */
export function createRefresh({ api, known }) {
    /** @type {Promise<void> | null} */
    let refreshing = null;
    let isStale = false;

    /** @param {number} started */
    async function load(started) {
        const [person, set, owned, values] = await Promise.all([
            api.get("/account"),
            api.get("/settings"),
            api.all("/devices", { query: { limit: 200 } }),
            api.get("/readings/latest"),
        ]);
        const lists = await Promise.all(owned.map(async (/** @type {Device} */ { id }) => {
            const { data, tag } = await api.get(`/devices/${id}/parameters`);
            return /** @type {[string, ParameterList]} */ ([id, { items: data, tag }]);
        }));
        if (started !== known.generation) return; // somebody else has signed in meanwhile
        known.account.value = person.data;
        known.settings.value = set.data;
        known.settingsTag = set.tag;
        known.parameters.value = new Map(lists);
        known.latest.value = newest(latestOf(values.data));
        known.devices.value = owned;
        known.keep();
    }

    /**
     * A value that came by the stream while the list was on its way is newer than the list's.
     * @param {Map<string, Map<string, Latest>>} read
     */
    function newest(read) {
        for (const [device, values] of read) {
            for (const [name, value] of values) {
                const last = known.latest.value.get(device)?.get(name);
                if (last && isLater(last.time, value.time)) values.set(name, { ...value, value: last.value, time: last.time });
            }
        }
        return read;
    }

    /** Whoever asks while it is read waits for a reading that began after the question. */
    return async function refresh() {
        if (refreshing) {
            isStale = true;
            return await refreshing;
        }
        const started = known.generation;
        refreshing = (async () => {
            do {
                isStale = false;
                await load(started);
            } while (isStale && started === known.generation);
        })().finally(() => refreshing = null);
        return await refreshing;
    };
}
