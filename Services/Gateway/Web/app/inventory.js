/** What lives and works in a tank: read from the service, changed on this device first, and kept for when there is no connection. */

import { computed, signal } from "../page/signals.js";
import { randomKey } from "./api.js";
import { createCoalesced } from "./coalesced.js";
import { versionTag } from "./versions.js";

/** @typedef {import("../components/journal-list/model.js").Inventory} Inventory */
/** @typedef {import("../components/journal-list/model.js").Item} Item */
/** @typedef {import("../components/journal-list/model.js").Sort} Sort */
/** @typedef {{inventory: Sort, device: string, item: Item | null, id: string}} About What a row of the outbox does; null deletes. */

/**
 * What a row does to the lists of a tank; null of others.
 * @param {{about?: unknown}} row
 * @param {string} device
 * @returns {About | null}
 */
function aboutOf({ about }, device) {
    if (about === null || typeof about !== "object" || !("inventory" in about)) return null;
    const own = /** @type {About} */ (about);
    return own.device === device ? own : null;
}

/**
 * The lists after what waits was done; what the service did not take is not.
 * @param {Inventory} told
 * @param {readonly {about?: unknown, refusal?: unknown}[]} rows
 * @param {string} device
 * @returns {Inventory}
 */
export function laidOver(told, rows, device) {
    const lists = { livestock: [...told.livestock], equipment: [...told.equipment] };
    for (const row of rows) {
        const about = row.refusal ? null : aboutOf(row, device);
        if (!about) continue;
        const { inventory: sort, item, id } = about;
        const had = lists[sort].find((one) => one.id === id);
        lists[sort] = withItem(lists[sort], id, item && { ...item, version: had?.version });
    }
    return lists;
}

/**
 * @param {readonly Item[]} items
 * @param {string} id
 * @param {Item | null} item What takes its place, at the end if it is new; null: nothing does.
 * @returns {Item[]}
 */
function withItem(items, id, item) {
    const isNew = !items.some((one) => one.id === id);
    return isNew ? [...items, ...item ? [item] : []] : items.flatMap((one) => one.id !== id ? [one] : item ? [item] : []);
}

/**
 * The lists after the service has answered a row.
 * @param {Inventory} told
 * @param {About} about
 * @param {Item | null} item As the service has it.
 * @returns {Inventory}
 */
export function settled(told, { inventory, id }, item) {
    return { ...told, [inventory]: withItem(told[inventory], id, item) };
}

/**
 * @param {object} parts
 * @param {Pick<import("./api.js").API, 'get'>} parts.api
 * @param {Pick<import("./outbox.js").Outbox, 'add' | 'waiting' | 'onAnswer' | 'retry' | 'remove'>} parts.outbox
 * @param {string} parts.device
 * @param {(key: string, value: unknown) => unknown} parts.keep
 * @param {(key: string) => Promise<any>} parts.kept
 */
export function createInventory({ api, outbox, device, keep, kept }) {
    const place = `/devices/${encodeURIComponent(device)}`;
    const told = signal(/** @type {{told: Inventory | null, trouble: unknown}} */ ({ told: null, trouble: null }));
    const known = computed([told, outbox.waiting], () => {
        const { told: lists, trouble } = told.value;
        const rows = outbox.waiting.value;
        const refused = rows.filter((row) => row.refusal !== null && aboutOf(row, device) !== null);
        return { told: lists && laidOver(lists, rows, device), trouble, refused: refused.map(refusalOf) };
    });

    /** @param {import("./outbox.js").Waiting} row */
    const refusalOf = (row) => {
        const { item } = /** @type {About} */ (row.about);
        return {
            name: item?.species ?? item?.name ?? "",
            reason: row.refusal?.detail || row.refusal?.title || "",
            retry: () => outbox.retry(row),
            giveUp: () => outbox.remove(row),
        };
    };

    const reading = createCoalesced(async () => {
        try {
            const { data } = await api.get(`${place}/inventory`);
            told.value = { told: data, trouble: null };
            keep(`inventory ${device}`, data);
        } catch (error) {
            told.value = { told: told.value.told ?? await kept(`inventory ${device}`) ?? null, trouble: error };
        }
    });

    outbox.onAnswer((row, { data }) => {
        const about = aboutOf(row, device);
        if (about === null || told.value.told === null) return;
        told.value = { ...told.value, told: settled(told.value.told, about, data?.id === about.id ? data : about.item) };
        void reading.ask();
    });

    return {
        known,
        read: reading.ask,

        /** Something has changed: who reads it next has it as it is. */
        renew() {
            if (told.value.told !== null) void reading.ask();
        },

        /**
         * @param {Sort} sort
         * @param {Item} item
         */
        async write(sort, item) {
            const { version = 0, ...rest } = item;
            const id = item.id || randomKey();
            const body = { ...rest, id: undefined };
            const last = Math.max(version, told.value.told?.[sort].find((one) => one.id === id)?.version ?? 0);
            await outbox.add({
                id,
                method: "PUT",
                path: `${place}/${sort}/${id}`,
                body,
                ifMatch: versionTag(last),
                subject: `${sort} ${id}`,
                about: { inventory: sort, device, item: { ...item, id }, id },
            });
        },

        /**
         * @param {Sort} sort
         * @param {Item} item
         */
        async remove(sort, { id }) {
            await outbox.add({
                id: `${id} gone`,
                method: "DELETE",
                path: `${place}/${sort}/${id}`,
                subject: `${sort} ${id}`,
                about: { inventory: sort, device, item: null, id },
            });
        },
    };
}
