/**
 * Reads everything from the service: at the start, and whenever the stream of events says so.
 */

import { latestOf } from "./water.js";

/** @typedef {import("./water.js").Device} Device */
/** @typedef {import("./live.js").LiveEvent} LiveEvent */
/** @typedef {import("./water.js").ParameterList} ParameterList */

/** So many events are kept while everything is read; after more, it is read once more. */
const most = 1_000;

/**
 * @param {object} parts
 * @param {import("./api.js").API} parts.api
 * @param {import("./known.js").Known} parts.known
 * @param {(event: LiveEvent) => void} parts.change What an event changes.
 */
export function createRefresh({ api, known, change }) {
    /** @type {Promise<void> | null} */
    let refreshing = null;
    let isStale = false;
    /** What the stream told since the reading began. @type {LiveEvent[]} */
    let told = [];

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
        known.latest.value = latestOf(values.data);
        known.devices.value = owned;
        // The answers may be older than what was told meanwhile, and nobody tells it twice.
        for (const event of told) change(event);
        known.keep();
    }

    /** Whoever asks while it is read waits for a reading that began after the question. */
    async function refresh() {
        if (refreshing) {
            isStale = true;
            return await refreshing;
        }
        const started = known.generation;
        refreshing = (async () => {
            do {
                isStale = false;
                told = [];
                await load(started);
            } while (isStale && started === known.generation);
        })().finally(() => {
            refreshing = null;
            told = [];
        });
        return await refreshing;
    }

    return {
        refresh,
        /** @param {LiveEvent} event What the stream tells. */
        note(event) {
            change(event);
            if (!refreshing) return;
            if (told.length < most) told.push(event);
            else isStale = true;
        },
    };
}
