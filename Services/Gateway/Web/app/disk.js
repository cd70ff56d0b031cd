/**
 * What is kept on this device for a person: the last known values, for when there is no connection. A cache that the
 * browser may clear at any time; the service is the truth.
 */

const name = "aquamonitor";
const table = "kept";
/** What the names of caches with saved areas of the map begin with; for whom a window acts comes behind it. */
export const mapCache = "map-";

/** @typedef {ReturnType<typeof createDisk>} Disk */

/** @param {string} [scope] What the keys begin with of somebody whose water is kept apart; all of it is cleared at once. */
export function createDisk(scope = "") {
    /** @type {Promise<IDBDatabase | null> | null} */
    let opening = null;
    /** Whether what is below the scope is kept no more. */
    let isOver = false;

    /** @returns {Promise<IDBDatabase | null>} */
    function open() {
        opening ??= new Promise((resolve) => {
            let request;
            try {
                request = indexedDB.open(name, 1);
            } catch {
                return resolve(null); // where storage is switched off
            }
            request.onupgradeneeded = () => request.result.createObjectStore(table);
            request.onsuccess = () => {
                request.result.onversionchange = () => request.result.close();
                resolve(request.result);
            };
            request.onerror = () => resolve(null);
        });
        return opening;
    }

    /**
     * @template T
     * @param {IDBTransactionMode} mode
     * @param {(store: IDBObjectStore) => IDBRequest<T>} run
     * @returns {Promise<T | undefined>}
     */
    async function perform(mode, run) {
        const database = await open();
        if (!database) return undefined;
        return await new Promise((resolve) => {
            try {
                const transaction = database.transaction(table, mode);
                const request = run(transaction.objectStore(table));
                // Committed at once, a write that the page is left in is there when the next one begins.
                transaction.commit?.();
                transaction.oncomplete = () => resolve(request.result);
                transaction.onabort = transaction.onerror = () => resolve(undefined);
            } catch {
                opening = null;
                resolve(undefined);
            }
        });
    }

    /**
     * @template T
     * @param {(store: IDBObjectStore) => IDBRequest<T>} run
     */
    const write = (run) => isOver ? Promise.resolve(undefined) : perform("readwrite", run);

    return {
        /**
         * @param {string} key
         * @returns {Promise<any>} undefined when nothing is kept.
         */
        get: (key) => perform("readonly", (store) => store.get(scope + key)),
        /**
         * @param {string} key
         * @param {unknown} value
         */
        set: (key, value) => write((store) => store.put(value, scope + key)),
        /**
         * All values whose keys begin so.
         * @param {string} prefix
         * @returns {Promise<any[]>}
         */
        all: async (prefix) => await perform("readonly", (store) => store.getAll(IDBKeyRange.bound(scope + prefix, `${scope}${prefix}\uffff`))) ?? [],
        /**
         * Writes several values, and takes others away, at once.
         * @param {ReadonlyMap<string, unknown>} entries One at least, by their keys.
         * @param {readonly string[]} gone
         * @returns {Promise<unknown>} undefined where nothing was written.
         */
        put: (entries, gone) =>
            write((store) => {
                for (const key of gone) store.delete(scope + key);
                const requests = [...entries].map(([key, value]) => store.put(value, scope + key));
                return requests[0];
            }),
        async clear() {
            await Promise.all([perform("readwrite", (store) => store.clear()), forgetMaps(mapCache)]);
        },
        /** Takes away what is below the scope, and keeps nothing more. */
        end() {
            isOver = true;
            const range = IDBKeyRange.bound(scope, `${scope}\uffff`);
            return Promise.all([perform("readwrite", (store) => store.delete(range)), forgetMaps(mapCache + scope)]);
        },
    };
}

/** @param {string} start */
async function forgetMaps(start) {
    if (typeof caches === "undefined") return;
    const names = await caches.keys().catch(() => []);
    await Promise.all(names.filter((name) => name.startsWith(start)).map((name) => caches.delete(name)));
}
