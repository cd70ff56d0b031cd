/**
 * The journal of a person's tanks: what they write is kept on this device first, and is sent by the outbox.
 */

import { NotKept } from "../components/journal-list/model.js";
import { computed } from "../page/signals.js";
import { sent } from "../water/journal.js";
import { randomKey } from "./api.js";
import { createInventory } from "./inventory.js";
import { createJournalList } from "./journal-list.js";
import { aboutOf, entryOf, waitingOf } from "./journal-rows.js";
import { OutboxFull, outboxOf } from "./outbox.js";
import { versionTag } from "./versions.js";

/** @typedef {import("../components/journal-list/model.js").Journal} Journal */
/** @typedef {import("../water/journal.js").Entry} Entry */

/** @type {WeakMap<object, Journal>} */
const journals = new WeakMap();

/**
 * The journal that all screens share.
 * @param {Pick<import("./context.js").Context, 'api' | 'store'>} context
 * @returns {Journal}
 */
export function journalOf(context) {
    let journal = journals.get(context.store);
    if (!journal) {
        journal = createJournal({ ...context, outbox: outboxOf(context) });
        journals.set(context.store, journal);
    }
    return journal;
}

/** So many small photos stay at hand. */
const mostPhotos = 80;

/**
 * @param {object} parts
 * @param {import("./api.js").API} parts.api
 * @param {import("./store.js").Store} parts.store
 * @param {import("./outbox.js").Outbox} parts.outbox
 * @returns {Journal}
 */
function createJournal({ api, store, outbox }) {
    /** @type {Map<string, import("./journal-list.js").JournalList>} */
    const lists = new Map();
    /** @type {Map<string, ReturnType<typeof createInventory>>} */
    const inventories = new Map();
    /** @type {Map<string, Promise<Blob>>} */
    const photos = new Map();
    let owner = store.account.value?.createdAt;

    const isCutOff = () => ["offline", "noAnswer"].includes(store.connection.value.state);
    const overlay = computed([outbox.waiting, store.connection], () => waitingOf(outbox.waiting.value, find, isCutOff()));

    /** @param {string} id */
    function find(id) {
        for (const list of lists.values()) {
            const found = list.find(id);
            if (found) return found;
        }
    }

    function renew() {
        for (const list of lists.values()) list.renew();
        for (const inventory of inventories.values()) inventory.renew();
    }

    outbox.onAnswer((row, { data }) => {
        const about = aboutOf(row);
        if (!about) return;
        const answer = about.journal === "entry" && data?.id === about.entry.id ? data : null;
        for (const list of lists.values()) list.settle(about, answer);
        renew();
    });
    store.journalNews.subscribe(renew);
    // Another window may have sent what waited here.
    let count = 0;
    outbox.waiting.subscribe(() => {
        const next = outbox.waiting.value.filter((row) => aboutOf(row) !== null).length;
        if (next < count) renew();
        count = next;
    });
    store.account.subscribe(() => {
        const next = store.account.value?.createdAt;
        if (next === owner) return;
        owner = next;
        for (const list of lists.values()) list.forget();
        lists.clear();
        inventories.clear();
        photos.clear();
    });

    /** @param {import("./outbox.js").Deed} deed */
    async function add(deed) {
        try {
            await outbox.add(deed);
        } catch (error) {
            throw new NotKept(error instanceof OutboxFull);
        }
    }

    /** @param {Pick<Entry, 'id' | 'device'>} entry */
    const pathOf = ({ id, device }) => `/devices/${encodeURIComponent(device)}/journal/${id}`;
    /** @param {string} id */
    const subjectOf = (id) => `journal ${id}`;
    /** @param {string} id */
    const rowsOf = (id) => outbox.waiting.value.filter((row) => {
        const about = aboutOf(row);
        return about !== null && entryOf(about) === id;
    });

    /** @param {Entry} entry */
    const tagOf = ({ id, version }) => versionTag(Math.max(version, find(id)?.version ?? 0));

    /**
     * @param {string} address
     * @param {string} [size]
     */
    async function fetched(address, size) {
        const response = await api.open(address, { query: { size } });
        return await response.blob();
    }

    return {
        list(wanted) {
            const key = `${wanted.device} ${wanted.kind}`;
            let list = lists.get(key);
            if (!list) {
                list = createJournalList({ wanted, api, overlay, keep: store.keep, kept: store.kept });
                lists.set(key, list);
            }
            return list;
        },

        async write(device, content, known) {
            const body = sent(content);
            const id = known?.id ?? randomKey();
            const entry = { ...body, id, device, photos: known?.photos ?? [], by: known?.by ?? null, version: known?.version ?? 0 };
            const row = { id, path: pathOf(entry), subject: subjectOf(id), about: { journal: "entry", entry } };
            await add({ ...row, method: "PUT", body, ifMatch: known && tagOf(known) });
            return entry;
        },

        async remove(entry) {
            const { id } = entry;
            for (const row of rowsOf(id).filter(({ about }) => aboutOf({ about })?.journal !== "entry")) await outbox.remove(row);
            const row = { id: `${id} gone`, path: pathOf(entry), subject: subjectOf(id), about: { journal: "gone", id } };
            await add({ ...row, method: "DELETE" });
        },

        async addPhoto(entry, { photo, small }) {
            const id = randomKey();
            const path = `${pathOf(entry)}/photos/${id}`;
            const subject = subjectOf(entry.id);
            const { type, width, height, bytes } = photo;
            const about = { journal: "photo", id: entry.id, photo: { id, type, width, height, bytes: bytes.byteLength } };
            await add({ id, method: "PUT", path, body: bytes, type, subject, after: entry.id, about });
            const rest = { id: `${id} small`, path: `${path}/small`, after: id, about: { journal: "small", id: entry.id } };
            await add({ ...rest, method: "PUT", body: small.bytes, type: small.type, subject });
        },

        async removePhoto(entry, { id }) {
            const path = `${pathOf(entry)}/photos/${id}`;
            const about = { journal: "photoGone", id: entry.id, photo: id };
            await add({ id: `${id} gone`, method: "DELETE", path, subject: subjectOf(entry.id), about });
        },

        sourceOf: (entry, { id }) => (size) => {
            const path = `${pathOf(entry)}/photos/${id}`;
            const wanted = size === "small" ? `${path}/small` : path;
            const own = outbox.waiting.value.find((row) => row.path === wanted) ?? outbox.waiting.value.find((row) => row.path === path);
            if (own?.body instanceof ArrayBuffer) return Promise.resolve(new Blob([own.body], { type: own.type }));
            if (size === "large") return fetched(path);
            const had = photos.get(path);
            if (had) return had;
            const found = fetched(path, "small");
            photos.set(path, found);
            found.catch(() => photos.delete(path));
            const [oldest] = photos.keys();
            if (photos.size > mostPhotos) photos.delete(oldest);
            return found;
        },

        async retry({ id }) {
            for (const row of rowsOf(id)) if (row.refusal) await outbox.retry(row);
        },

        async giveUp({ id }) {
            for (const row of rowsOf(id)) if (row.refusal) await outbox.remove(row);
        },

        lists(device) {
            let inventory = inventories.get(device);
            if (!inventory) {
                inventory = createInventory({ api, outbox: { ...outbox, add }, device, keep: store.keep, kept: store.kept });
                inventories.set(device, inventory);
            }
            return inventory;
        },
    };
}
