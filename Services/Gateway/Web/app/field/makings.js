/**
 * Protocols that somebody makes on this device, until the service has them: each letter is written for good before it is said to be kept, apart for
 * each person and each project.
 */

import { signal } from "../../page/signals.js";
import { createStrictDisk } from "../strict-disk.js";

/** @typedef {import("../../water/field/made.js").Made} Made */
/** @typedef {ReturnType<typeof createMakingDisk>} MakingDisk */
/** @typedef {{id: string, account: string, made: Made}} Row */
/** @typedef {ReturnType<typeof createMakings>} Makings */

/** Of the rows that this version reads and writes; those of another one stay beside them. */
const schema = 1;
const table = "makings";

export function createMakingDisk() {
    const disk = createStrictDisk("aquamonitor-protocols", (database) => void database.createObjectStore(table, { keyPath: "id" }));
    /** @param {(rows: IDBObjectStore) => void} run Asks for all that it wants at once. */
    const write = (run) =>
        disk.perform(table, "readwrite", (transaction) => {
            run(transaction.objectStore(table));
            // Committed at once, a write that the page is left in is there when the next one begins.
            transaction.commit?.();
        });
    return {
        /** @param {string} id @returns {Promise<Row | undefined>} */
        get: (id) => disk.perform(table, "readonly", (transaction) => transaction.objectStore(table).get(id)),
        /** @param {Row} row */
        put: (row) => write((rows) => rows.put(row)),
        /** @param {string} id */
        remove: (id) => write((rows) => rows.delete(id)),
        /** Takes away all that a person has here. @param {string} account */
        clear: (account) =>
            disk.perform(table, "readwrite", (transaction) => {
                const asked = transaction.objectStore(table).openCursor();
                asked.onsuccess = () => {
                    if (asked.result?.value.account === account) asked.result.delete();
                    asked.result?.continue();
                };
            }),
    };
}

/**
 * @param {object} parts
 * @param {MakingDisk} parts.disk
 * @param {() => string | null} parts.owner Whose they are.
 */
export function createMakings({ disk, owner }) {
    return {
        /**
         * The protocol that somebody makes, as this device keeps it.
         * @param {string | null} project For which they act; null: for themselves.
         * @param {string} wanted The protocol, or of what a new one is a copy.
         */
        of(project, wanted) {
            const account = owner();
            const id = JSON.stringify([schema, account, project, wanted]);
            const keeping = signal(/** @type {import("./drafts.js").Keeping | null} */ (null));
            let newest = 0;

            return {
                /** Whether this device has what is shown; null: there is nothing to be kept. */
                keeping,
                /** @returns {Promise<unknown>} As some version wrote it. */
                read: async () => (account === null ? null : (await disk.get(id))?.made) ?? null,
                /**
                 * Writes at once, whatever is being written: whoever leaves a moment later finds it.
                 * @param {Made | null} made null: the service has it, or nobody wants it.
                 */
                async keep(made) {
                    if (account === null) return;
                    const mine = newest += 1;
                    if (made && keeping.value !== "unkept") keeping.value = "keeping";
                    try {
                        await (made ? disk.put({ id, account, made }) : disk.remove(id));
                        if (mine === newest) keeping.value = made && "kept";
                    } catch (error) {
                        if (mine === newest) keeping.value = "unkept";
                        console.info("A protocol was not kept.", error);
                    }
                },
            };
        },

        /** @param {string | null} person */
        clear: (person) => person === null ? Promise.resolve() : disk.clear(person),
    };
}
