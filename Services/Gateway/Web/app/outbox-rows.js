/** The rows of the outbox on this device. Whoever is signed out by the service finds them again. */

import { afterAnswer } from "./outbox-order.js";
import { createStrictDisk } from "./strict-disk.js";

/** @typedef {import("./outbox-order.js").Row} Row */
/** @typedef {ReturnType<typeof createOutboxRows>} OutboxRows */

const name = "aquamonitor-outbox";
const table = "rows";

export function createOutboxRows() {
    const disk = createStrictDisk(name, (database) => database.createObjectStore(table, { keyPath: "seq", autoIncrement: true }));
    /**
     * @template T
     * @param {IDBTransactionMode} mode
     * @param {(store: IDBObjectStore) => IDBRequest<T> | void} run
     */
    const perform = (mode, run) => disk.perform(table, mode, (transaction) => run(transaction.objectStore(table)));

    return {
        /** @returns {Promise<Row[]>} In the order of making. */
        all: async () => await perform("readonly", (store) => store.getAll()) ?? [],

        /**
         * Writes a row, and takes others away, at once.
         * @param {Omit<Row, 'seq'> & {seq?: number} | null} row Without a number it is the last.
         * @param {readonly number[]} gone
         * @returns {Promise<number | null>} The row's number.
         */
        async write(row, gone) {
            const key = await perform("readwrite", (store) => {
                for (const seq of gone) store.delete(seq);
                if (row) return store.put(row);
            });
            return row ? Number(key) : null;
        },

        /**
         * Takes an answered row away, and writes what the answer means for those behind it, also for one that another window has just added.
         * @param {Row} row
         * @param {string | null} tag
         */
        async leave(row, tag) {
            await perform("readwrite", (store) => {
                const asked = store.getAll();
                asked.onsuccess = () => {
                    const before = new Set(asked.result);
                    for (const one of afterAnswer(asked.result, row, tag)) if (!before.has(one)) store.put(one);
                    store.delete(row.seq);
                };
            });
        },
    };
}
