/** The samples that a project received of others, each as it is now, the last that came first. */

import { isProblem } from "../../words/problem.js";
import { createListing } from "./listing.js";

/** @typedef {import("../../water/field/received.js").Arrival} Arrival */

const page = 20;

/**
 * @param {object} parts
 * @param {Pick<import("../api.js").API, 'get'>} parts.api
 * @param {Pick<import("../store.js").Store, 'keep' | 'kept' | 'keepPage'>} parts.store
 * @param {string} project
 */
export function createReceivedSamples({ api, store }, project) {
    const key = `received ${project}`;
    const list = createListing({ store, owner: () => project }, {
        key,
        isFirst: false,
        async ask(/** @type {string | null} */ before) {
            const { data } = await api.get("/field-samples/received", { query: { order: "newest", before, limit: page }, project });
            return { items: /** @type {Arrival[]} */ (data.items), next: data.hasMore ? data.cursor : null };
        },
    });

    return {
        ...list,

        /**
         * Reads a sample with its track; without a connection as the list had it. Throws as the API does where it cannot be told.
         * @param {string} id
         * @returns {Promise<Arrival | null>} null: it was not received.
         */
        async find(id) {
            try {
                return (await api.get(`/field-samples/received/${id}`, { project })).data;
            } catch (error) {
                if (isProblem(error) && error.status === 404) return null;
                const kept = isProblem(error) ? [] : await store.kept(key) ?? [];
                const had = kept.find((/** @type {Arrival} */ one) => one.id === id);
                if (!had) throw error;
                return had;
            }
        },
    };
}
