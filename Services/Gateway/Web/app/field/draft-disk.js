/** Drafts of field samples on this device, with their photos as bytes beside them: a draft and the photos that it names are written together. */

import { joined } from "../../water/field/draft.js";
import { createStrictDisk } from "../strict-disk.js";

/** @typedef {import("../../water/field/draft.js").Draft} Draft */
/** @typedef {{type: string, bytes: ArrayBuffer}} PhotoBytes */
/** @typedef {ReturnType<typeof createDraftDisk>} DraftDisk */

const name = "aquamonitor-field";
const both = ["drafts", "photos"];

/** @param {string} draft @param {string} photo */
const keyOf = (draft, photo) => `${draft} ${photo}`;
/** @param {string} draft */
const allOf = (draft) => IDBKeyRange.bound(`${draft} `, `${draft} \uffff`);

/**
 * @param {IDBTransaction} transaction
 * @param {Draft} draft
 */
function over(transaction, draft) {
    const drafts = transaction.objectStore("drafts");
    const asked = drafts.get(draft.id);
    asked.onsuccess = () => asked.result && drafts.put(joined(draft, asked.result));
}

export function createDraftDisk() {
    const disk = createStrictDisk(name, (database) => {
        database.createObjectStore("drafts", { keyPath: "id" });
        database.createObjectStore("photos");
    });

    return {
        /** @returns {Promise<unknown[]>} Of all persons, as some version of the app wrote them. */
        all: async () => await disk.perform("drafts", "readonly", (transaction) => transaction.objectStore("drafts").getAll()) ?? [],

        /** Keeps a draft that is not there yet. @param {Draft} draft */
        add: (draft) => disk.perform("drafts", "readwrite", (transaction) => transaction.objectStore("drafts").put(draft)),

        /** Writes a draft over what another window may have written of it; one that is gone stays gone. @param {Draft} draft */
        put: (draft) => disk.perform("drafts", "readwrite", (transaction) => over(transaction, draft)),

        /**
         * Writes a draft with a photo that it names.
         * @param {Draft} draft
         * @param {string} photo
         * @param {PhotoBytes} content
         */
        putPhoto: (draft, photo, content) =>
            disk.perform(both, "readwrite", (transaction) => {
                transaction.objectStore("photos").put(content, keyOf(draft.id, photo));
                over(transaction, draft);
            }),

        /**
         * Writes a draft that names a photo no more.
         * @param {Draft} draft
         * @param {string} photo
         */
        dropPhoto: (draft, photo) =>
            disk.perform(both, "readwrite", (transaction) => {
                transaction.objectStore("photos").delete(keyOf(draft.id, photo));
                over(transaction, draft);
            }),

        /**
         * @param {string} draft
         * @param {string} photo
         * @returns {Promise<PhotoBytes | undefined>}
         */
        photo: (draft, photo) => disk.perform("photos", "readonly", (transaction) => transaction.objectStore("photos").get(keyOf(draft, photo))),

        /**
         * Puts a draft in the place of another one, with photos of that one. Whoever dies meanwhile finds the one or the other, and never both.
         * @param {string} id Of the one that goes.
         * @param {(former: Draft, photos: ReadonlySet<string>) => {draft: Draft, photos: ReadonlyMap<string, string>}} make Of that draft as it is here,
         *     and the photos of it that are; photos: those that stay, each with its next name.
         * @returns {Promise<Draft | null>} null: it was gone.
         */
        async replace(id, make) {
            /** @type {Draft | null} */
            let made = null;
            await disk.perform(both, "readwrite", (transaction) => {
                made = null;
                const [drafts, kept] = both.map((table) => transaction.objectStore(table));
                const [former, keys] = [drafts.get(id), kept.getAllKeys(allOf(id))];
                keys.onsuccess = () => {
                    if (former.result === undefined) return;
                    const here = new Set(keys.result.map((key) => String(key).slice(keyOf(id, "").length)));
                    const { draft, photos } = make(former.result, here);
                    for (const [photo, next] of photos) {
                        const asked = kept.get(keyOf(id, photo));
                        asked.onsuccess = () => kept.put(asked.result, keyOf(draft.id, next));
                    }
                    kept.delete(allOf(id));
                    drafts.delete(id);
                    drafts.put(draft);
                    made = draft;
                };
            });
            return made;
        },

        /**
         * Takes a draft away with its photos.
         * @param {string} draft
         * @param {(draft: Draft) => boolean} may Asked of the draft as it stands here.
         * @returns {Promise<boolean>} Whether it is gone.
         */
        async remove(draft, may) {
            let isGone = true;
            await disk.perform(both, "readwrite", (transaction) => {
                const drafts = transaction.objectStore("drafts");
                const asked = drafts.get(draft);
                asked.onsuccess = () => {
                    isGone = asked.result === undefined || may(asked.result);
                    if (!isGone) return;
                    transaction.objectStore("photos").delete(allOf(draft));
                    drafts.delete(draft);
                };
            });
            return isGone;
        },
    };
}
