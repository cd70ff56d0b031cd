/**
 * What a project received of others. The service tells it from the oldest on, so that whoever keeps the place misses nothing: the newest are kept on this
 * device with that place, and only what came since is asked for.
 */

import { signal } from "../../page/signals.js";
import { joined, nothing } from "../../water/field/received.js";
import { isProblem } from "../../words/problem.js";

/** @typedef {import("../../water/field/received.js").Received} Received */
/** @typedef {import("../../water/field/received.js").Row} Row */
/** @typedef {{known: Received | null, count: number, isReading: boolean, trouble: unknown}} Listed known: null while nothing is; count: how many versions came just now. */
/** @typedef {ReturnType<typeof createReceivedSamples>} ReceivedSamples */

/** The most that the service gives at once. */
const page = 20;
/** After so many pages what is known is kept, so that a long reading that breaks off goes on where it was. */
const pagesBetween = 10;

/**
 * @param {object} parts
 * @param {Pick<import("../api.js").API, 'get'>} parts.api
 * @param {Pick<import("../store.js").Store, 'kept' | 'keepPage'>} parts.store
 * @param {string} project
 */
export function createReceivedSamples({ api, store }, project) {
    const listed = signal(/** @type {Listed} */ ({ known: null, count: 0, isReading: false, trouble: null }));
    const key = `received ${project}`;
    let turn = 0;

    /** @param {string | null} since */
    const asked = async (since) => (await api.get("/field-samples/received", { query: { since, limit: page }, project })).data;

    /** The first page behind a place; from the beginning where the service knows the place no more. @param {Received} known */
    async function begun(known) {
        try {
            return { known, data: await asked(known.cursor) };
        } catch (error) {
            if (known.cursor === null || !isProblem(error) || error.faultOf("since") === null) throw error;
            return { known: nothing, data: await asked(null) };
        }
    }

    /** Reads what came since, page by page. */
    async function read() {
        const mine = turn += 1;
        const had = listed.value.known ?? await store.kept(key) ?? null;
        if (mine !== turn) return;
        listed.value = { known: had, count: 0, isReading: true, trouble: null };
        try {
            let { known, data } = await begun(had ?? nothing);
            for (let pages = 1;; pages += 1) {
                if (mine !== turn) return;
                known = joined(known, data);
                listed.value = { known, count: listed.value.count + data.items.length, isReading: data.hasMore, trouble: null };
                if (!data.hasMore || pages % pagesBetween === 0) void store.keepPage(key, known);
                if (!data.hasMore) return;
                data = await asked(known.cursor);
            }
        } catch (error) {
            if (mine !== turn) return;
            const { known, count } = listed.value;
            if (known && count > 0) void store.keepPage(key, known);
            listed.value = { known, count, isReading: false, trouble: error };
        }
    }

    /** One that is listed no more, among all that ever came; null: it never did. @param {string} id @returns {Promise<Row | null>} */
    async function former(id) {
        const mine = turn;
        let found = nothing;
        for (let hasMore = true; hasMore && mine === turn;) {
            const data = await asked(found.cursor);
            hasMore = data.hasMore;
            found = joined(found, { ...data, items: data.items.filter((/** @type {Row} */ one) => one.id === id) });
        }
        return found.rows[0] ?? null;
    }

    return {
        listed,
        read,

        /**
         * The newest version of a sample; without a connection as it was known. Throws as the API does where it cannot be told.
         * @param {string} id
         * @returns {Promise<Row | null>} null: it was not received.
         */
        async find(id) {
            await read();
            const { known, trouble } = listed.value;
            const row = known?.rows.find((one) => one.id === id);
            if (row) return row;
            if (trouble !== null) throw trouble;
            return known?.former.includes(id) ? await former(id) : null;
        },

        /** Ends what is being read. */
        remove() {
            turn += 1;
        },
    };
}
