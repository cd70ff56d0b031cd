/**
 * Entries of the journal as they are listed: read from the service page by page, with what waits on this device laid over them, and kept for
 * when there is no connection.
 */

import { computed, effect, signal } from "../page/signals.js";
import { byTime, laidOver } from "../water/journal.js";
import { createCoalesced } from "./coalesced.js";
import { settled } from "./journal-rows.js";

/** @typedef {import("../water/journal.js").Entry} Entry */
/** @typedef {import("../components/journal-list/model.js").Listed} Listed */
/** @typedef {import("../components/journal-list/model.js").Wanted} Wanted */
/** @typedef {ReturnType<typeof createJournalList>} JournalList */

const pageSize = 50;
/** @type {Listed} */
const nothing = { items: null, next: null, seenAt: 0, isOld: false, trouble: null };

/**
 * @param {object} parts
 * @param {Wanted} parts.wanted
 * @param {Pick<import("./api.js").API, 'get'>} parts.api
 * @param {import("../page/signals.js").Readable<{waiting: readonly Entry[], gone: ReadonlySet<string>}>} parts.overlay
 * @param {(key: string, value: unknown) => unknown} parts.keep
 * @param {(key: string) => Promise<any>} parts.kept
 */
export function createJournalList({ wanted, api, overlay, keep, kept }) {
    const { device, kind } = wanted;
    const key = `journal ${device ?? ""} ${kind ?? ""}`;
    const told = signal(nothing);
    let isGone = false;
    let uses = 0;
    const isWanted = (/** @type {Entry} */ entry) => (device === null || entry.device === device) && (kind === null || entry.kind === kind);

    const listed = computed([told, overlay], () => {
        const { items, ...rest } = told.value;
        const waiting = overlay.value.waiting.filter(isWanted);
        // What was done without a connection shows also where nothing was read yet.
        if (items === null && waiting.length === 0) return told.value;
        return { ...rest, items: laidOver(items ?? [], waiting, overlay.value.gone) };
    });

    /** @param {string | null} before */
    const ask = (before) => api.get("/journal", { query: { device, kinds: kind, before, limit: pageSize } });

    async function load() {
        try {
            const { data } = await ask(null);
            if (isGone) return;
            const { items: had, next, isOld } = told.value;
            // Older pages that were loaded stay, unless the newest no longer reach them.
            const last = data.items.at(-1);
            const older = isOld || data.next === null || !last ? [] : (had ?? []).filter((entry) => byTime(entry, last) > 0);
            const seenAt = Date.now();
            told.value = { items: [...data.items, ...older], next: older.length === 0 ? data.next : next, seenAt, isOld: false, trouble: null };
            keep(key, { items: data.items, seenAt });
        } catch (error) {
            if (!isGone) await recall(error);
        }
    }

    /**
     * Shows what was read last, here or on a former visit.
     * @param {unknown} trouble
     */
    async function recall(trouble) {
        let { items, seenAt } = told.value;
        if (items === null) {
            const had = await kept(key);
            if (had?.items) ({ items, seenAt } = had);
        }
        if (!isGone) told.value = { items, next: null, seenAt, isOld: items !== null, trouble };
    }

    const reading = createCoalesced(load);

    return {
        listed,
        read: reading.ask,

        async readMore() {
            const { next } = told.value;
            if (!next) return;
            const { data } = await ask(next);
            if (isGone || told.value.next !== next) return;
            told.value = { ...told.value, items: [...told.value.items ?? [], ...data.items], next: data.next };
        },

        /** @param {() => void} update */
        use(update) {
            uses += 1;
            void reading.ask();
            const end = effect([listed], update);
            return () => {
                uses -= 1;
                end();
            };
        },

        /** The service's own word on an entry. @param {string} id */
        find: (id) => told.value.items?.find((entry) => entry.id === id),

        /**
         * Takes over what the service has answered.
         * @param {import("./journal-rows.js").About} about
         * @param {Entry | null} answer
         */
        settle(about, answer) {
            const { items } = told.value;
            if (items !== null) told.value = { ...told.value, items: settled(items, about, answer).filter(isWanted).sort(byTime) };
        },

        /** Something has changed: whoever looks sees it. */
        renew() {
            if (uses > 0) void reading.ask();
        },

        /** It was for somebody who is gone. */
        forget() {
            isGone = true;
        },
    };
}
