/**
 * The drafts of a person, in memory as on this device's disk: a change is shown at once and written at most a moment later, and at once when the
 * app is about to go.
 */

import { signal } from "../../page/signals.js";
import { joined, migrated, mostDrafts } from "../../water/field/draft.js";

/** @typedef {import("../../water/field/draft.js").Draft} Draft */
/** @typedef {ReturnType<typeof createDrafts>} Drafts */
/** @typedef {'kept' | 'keeping' | 'unkept'} Keeping Whether the disk has what is shown; unkept: it took nothing. */

/** So long a change may wait to be written, in milliseconds. */
const patience = 250;

/** This device keeps no more drafts. */
export class DraftsFull extends Error {}

/**
 * @param {object} parts
 * @param {import("./draft-disk.js").DraftDisk} parts.disk
 * @param {() => string | null} parts.owner Whose drafts are shown.
 * @param {(run: () => void, pause: number) => unknown} [parts.later]
 */
export function createDrafts({ disk, owner, later = setTimeout }) {
    const shown = signal(/** @type {readonly Draft[]} */ ([]));
    /** What no version here reads, as it is on the disk. */
    const unread = signal(/** @type {readonly any[]} */ ([]));
    const keeping = signal(/** @type {Keeping} */ ("kept"));
    /** @type {Map<string, Draft>} */
    let known = new Map();
    /** @type {Map<string, any>} */
    let strange = new Map();
    /** The ids of those that the disk does not have as they are. @type {Set<string>} */
    const changed = new Set();
    let isAwaited = false;
    /** @type {Promise<unknown>} */
    let turn = Promise.resolve();
    const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel("aqua-field") : null;
    if (channel) channel.onmessage = () => void load();

    function show() {
        const whose = owner();
        shown.value = [...known.values()].filter(({ account }) => account === whose).sort((one, other) => other.id < one.id ? -1 : 1);
        unread.value = [...strange.values()].filter(({ account }) => account === undefined || account === whose);
    }

    /**
     * @template T
     * @param {() => Promise<T>} run
     * @returns {Promise<T>}
     */
    function inTurn(run) {
        const result = turn.then(run);
        turn = result.catch(() => {});
        return result;
    }

    const load = () => inTurn(async () => {
        const [found, others] = [new Map(), new Map()];
        for (const row of await disk.all()) {
            const made = migrated(row);
            if ("draft" in made) found.set(made.draft.id, made.draft);
            else others.set(/** @type {any} */ (row)?.id, row);
        }
        // What is not written yet is newer than the disk.
        for (const id of changed) {
            const [draft, there] = [known.get(id), found.get(id)];
            if (draft && there) found.set(id, joined(draft, there));
        }
        [known, strange] = [found, others];
        show();
    });

    /** Writes what the disk does not have. */
    const flush = () => inTurn(async () => {
        for (const id of [...changed]) {
            const draft = known.get(id);
            changed.delete(id);
            if (!draft) continue;
            try {
                await disk.put(draft);
            } catch (error) {
                changed.add(id);
                keeping.value = "unkept";
                console.info("A draft was not kept.", error);
                return;
            }
        }
        keeping.value = changed.size === 0 ? "kept" : "keeping";
        channel?.postMessage(null);
    });

    /**
     * @param {string} id
     * @param {(draft: Draft) => Draft} change
     */
    function note(id, change) {
        const before = known.get(id);
        if (!before) return;
        const after = change(before);
        if (after === before) return;
        known.set(id, after);
        changed.add(id);
        if (keeping.value === "kept") keeping.value = "keeping";
        show();
        if (isAwaited) return;
        isAwaited = true;
        later(() => {
            isAwaited = false;
            void flush();
        }, patience);
    }

    return {
        shown,
        unread,
        keeping,
        load,
        flush,

        /** @param {string} id */
        find: (id) => shown.value.find((draft) => draft.id === id) ?? null,

        /**
         * Keeps another draft; it throws where there is no room.
         * @param {Draft} draft
         */
        async add(draft) {
            if (shown.value.length >= mostDrafts) throw new DraftsFull();
            await inTurn(async () => {
                await disk.add(draft);
                known.set(draft.id, draft);
                show();
                channel?.postMessage(null);
            });
        },

        /**
         * Changes what a person says in a draft, as it is now.
         * @param {string} id
         * @param {(draft: Draft) => Draft} change
         */
        change(id, change) {
            note(id, (draft) => {
                const after = change(draft);
                return after === draft ? draft : { ...after, edits: draft.edits + 1 };
            });
        },

        /** Notes how far a draft has come, as it is now. */
        note,

        /**
         * @param {string} id
         * @param {import("../../water/field/draft.js").DraftPhoto} photo
         * @param {import("./draft-disk.js").PhotoBytes} content
         */
        addPhoto: (id, photo, content) => inTurn(async () => {
            const before = known.get(id);
            if (!before) return;
            const photos = [...before.photos, photo];
            const edits = before.edits + 1;
            await disk.putPhoto({ ...before, photos, edits }, photo.id, content);
            // What was typed meanwhile stays, and is written after it.
            const now = known.get(id) ?? before;
            known.set(id, { ...now, photos, edits: now.edits + 1 });
            show();
        }),

        /** @param {string} id @param {string} photo */
        removePhoto: (id, photo) => inTurn(async () => {
            const before = known.get(id);
            const found = before?.photos.find((one) => one.id === photo);
            if (!before || !found) return;
            const photos = before.photos.filter((one) => one !== found);
            // One that may have arrived is taken away there, too.
            const gone = before.base || before.answered > 0 ? [...before.gone, photo] : before.gone;
            await disk.dropPhoto({ ...before, photos, gone, edits: before.edits + 1 }, photo);
            const now = known.get(id) ?? before;
            known.set(id, { ...now, photos, gone, edits: now.edits + 1 });
            show();
        }),

        /** @param {string} id @param {string} photo */
        photo: (id, photo) => disk.photo(id, photo),

        /**
         * Puts a draft in the place of another one, at once.
         * @param {string} id Of the one that goes.
         * @param {Parameters<import("./draft-disk.js").DraftDisk['replace']>[1]} make
         */
        replace: (id, make) => inTurn(async () => {
            const made = await disk.replace(id, (there, photos) => make(joined(known.get(id) ?? there, there), photos));
            known.delete(id);
            changed.delete(id);
            // Where another window was first, what it made is read with all else.
            if (made) known.set(made.id, made);
            else void load();
            show();
            channel?.postMessage(null);
        }),

        /**
         * Takes a draft away.
         * @param {string} id
         * @param {(draft: Draft) => boolean} [may] Asked of the draft as it is here and on the disk, where another window may have gone on with it.
         */
        remove: (id, may = () => true) => inTurn(async () => {
            const draft = known.get(id);
            if (draft && !may(draft) || !await disk.remove(id, may)) return;
            known.delete(id);
            strange.delete(id);
            changed.delete(id);
            show();
            channel?.postMessage(null);
        }),

        /**
         * Takes away all that somebody has here.
         * @param {string | null} person
         */
        async clear(person) {
            await load();
            for (const { id, account } of [...known.values()]) if (account === person) await this.remove(id);
        },

        /** Another person's drafts are shown, or nobody's. */
        show,
    };
}
