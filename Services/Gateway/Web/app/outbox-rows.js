/**
 * The rows of the outbox on this device, each written for good before whoever did it is told so. They outlast the session: whoever is
 * signed out by the service finds them again.
 */

import { afterAnswer } from "./outbox-order.js";

/** @typedef {import("./outbox-order.js").Row} Row */
/** @typedef {ReturnType<typeof createOutboxRows>} OutboxRows */

const name = "aquamonitor-outbox";
const table = "rows";

export function createOutboxRows() {
    /** @type {Promise<IDBDatabase> | null} */
    let opening = null;

    /** @returns {Promise<IDBDatabase>} */
    function open() {
        opening ??= new Promise((resolve, reject) => {
            const request = indexedDB.open(name, 1);
            request.onupgradeneeded = () => request.result.createObjectStore(table, { keyPath: "seq", autoIncrement: true });
            request.onsuccess = () => {
                const database = request.result;
                database.onversionchange = () => database.close();
                // Phones end the connection of an app that slept.
                database.onclose = () => opening = null;
                resolve(database);
            };
            request.onerror = () => reject(request.error);
        });
        opening.catch(() => opening = null);
        return opening;
    }

    /**
     * @template T
     * @param {IDBTransactionMode} mode
     * @param {(store: IDBObjectStore) => IDBRequest<T> | void} run
     * @returns {Promise<T | undefined>}
     */
    async function perform(mode, run) {
        try {
            return await once(mode, run);
        } catch {
            // The connection may have been lost while the app slept, which only its use shows.
            opening = null;
            return await once(mode, run);
        }
    }

    /**
     * @template T
     * @param {IDBTransactionMode} mode
     * @param {(store: IDBObjectStore) => IDBRequest<T> | void} run
     * @returns {Promise<T | undefined>}
     */
    async function once(mode, run) {
        const database = await open();
        return await new Promise((resolve, reject) => {
            const transaction = database.transaction(table, mode, { durability: "strict" });
            const request = run(transaction.objectStore(table));
            transaction.oncomplete = () => resolve(request?.result);
            transaction.onabort = transaction.onerror = () => reject(transaction.error);
        });
    }

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
