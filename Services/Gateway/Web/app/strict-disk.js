/**
 * A store of this device for what only it has: each change is written for good before whoever made it is told so. It outlasts the session, and
 * the loss of its connection while the app sleeps.
 */

/** @typedef {ReturnType<typeof createStrictDisk>} StrictDisk */

/**
 * @param {string} name Of the database.
 * @param {(database: IDBDatabase) => void} make Makes its tables.
 */
export function createStrictDisk(name, make) {
    /** @type {Promise<IDBDatabase> | null} */
    let opening = null;

    /** @returns {Promise<IDBDatabase>} */
    function open() {
        opening ??= new Promise((resolve, reject) => {
            const request = indexedDB.open(name, 1);
            request.onupgradeneeded = () => make(request.result);
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
     * @param {string | string[]} tables
     * @param {IDBTransactionMode} mode
     * @param {(transaction: IDBTransaction) => IDBRequest<T> | void} run
     * @returns {Promise<T | undefined>}
     */
    async function once(tables, mode, run) {
        const database = await open();
        return await new Promise((resolve, reject) => {
            const transaction = database.transaction(tables, mode, { durability: "strict" });
            const request = run(transaction);
            transaction.oncomplete = () => resolve(request?.result);
            transaction.onabort = transaction.onerror = () => reject(transaction.error);
        });
    }

    return {
        /**
         * Does something in one transaction. All that is written is at hand before: whatever else is waited for in between ends a transaction.
         * @template T
         * @param {string | string[]} tables
         * @param {IDBTransactionMode} mode
         * @param {(transaction: IDBTransaction) => IDBRequest<T> | void} run
         * @returns {Promise<T | undefined>}
         */
        async perform(tables, mode, run) {
            try {
                return await once(tables, mode, run);
            } catch (error) {
                // No second attempt makes room.
                if (error instanceof DOMException && error.name === "QuotaExceededError") throw error;
                // The connection may have been lost while the app slept, which only its use shows.
                opening = null;
                return await once(tables, mode, run);
            }
        },
    };
}
