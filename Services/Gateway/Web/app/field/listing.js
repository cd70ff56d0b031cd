/** A list that the service tells page by page, the newest first, with its beginning kept on this device for when there is no connection. */

import { signal } from "../../page/signals.js";

/**
 * @template Item
 * @typedef {{items: readonly Item[] | null, next: string | null, isOld: boolean, trouble: unknown}} Listed items: newest first; null: nothing is known yet.
 */

/** So many of the newest are kept. */
const mostKept = 50;

/**
 * @template {{id: string}} Item
 * @param {object} parts
 * @param {Pick<import("../store.js").Store, 'keep' | 'kept' | 'keepPage'>} parts.store
 * @param {() => string | null} parts.owner Whose it is; what comes for somebody who left is dropped.
 * @param {object} list
 * @param {string} list.key Under which it is kept.
 * @param {boolean} list.isFirst Whether it is kept before what has room only.
 * @param {(after: string | null) => Promise<{items: readonly Item[], next: string | null}>} list.ask next: where to go on; null: at the end.
 */
export function createListing({ store, owner }, { key, isFirst, ask }) {
    const listed = signal(/** @type {Listed<Item>} */ ({ items: null, next: null, isOld: false, trouble: null }));
    let turn = 0;

    async function read() {
        const [mine, whose] = [turn += 1, owner()];
        if (listed.value.items === null) {
            const had = await store.kept(key);
            if (mine === turn && had && listed.value.items === null) listed.value = { ...listed.value, items: had, isOld: true };
        }
        try {
            const { items, next } = await ask(null);
            if (mine !== turn || whose !== owner()) return;
            listed.value = { items, next, isOld: false, trouble: null };
            const kept = items.slice(0, mostKept);
            void (isFirst ? store.keep(key, kept) : store.keepPage(key, kept));
        } catch (error) {
            if (mine === turn) listed.value = { ...listed.value, isOld: listed.value.items !== null, trouble: error };
        }
    }

    return {
        listed,
        read,

        async readMore() {
            const { items, next } = listed.value;
            if (next === null) return;
            const mine = turn;
            const more = await ask(next);
            if (mine === turn) listed.value = { ...listed.value, items: [...items ?? [], ...more.items], next: more.next };
        },

        /** Takes in what the service said of one elsewhere. @param {Item} item */
        take(item) {
            const { items } = listed.value;
            // A list that is on its way may be without it.
            if (items === null) return void read();
            const others = items.filter(({ id }) => id !== item.id);
            listed.value = { ...listed.value, items: [item, ...others] };
        },

        forget() {
            turn += 1;
            listed.value = { items: null, next: null, isOld: false, trouble: null };
        },
    };
}
