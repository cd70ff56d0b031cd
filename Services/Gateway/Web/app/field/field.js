/**
 * Field samples of a person: drafts that this device keeps, their way to the service by the outbox, and what the service has. Nothing leaves this
 * device before the service has shown it.
 */

import { computed } from "../../page/signals.js";
import { begun, contentIn, contentOf, filled, isBlank, mostPhotos, renewed, taken } from "../../water/field/draft.js";
import { merged } from "../../water/field/conflict.js";
import { aboutOf, roomOf, rowsOf, standingOf, unsent } from "../../water/field/sending.js";
import { isCutOff } from "../../water/headline.js";
import { outboxOf } from "../outbox.js";
import { versionTag } from "../versions.js";
import { createDraftDisk } from "./draft-disk.js";
import { createDrafts } from "./drafts.js";
import { createMakingDisk, createMakings } from "./makings.js";
import { createSamples } from "./samples.js";
import { createTrail } from "./trail.js";
import { timedUUID } from "./uuid.js";
import { createWay, pathOf, subjectOf } from "./way.js";

/** @typedef {import("../../water/field/draft.js").Draft} Draft */
/** @typedef {import("../../water/field/draft.js").Sample} Sample */
/** @typedef {ReturnType<typeof createFieldWork>} FieldWork */

/** @type {WeakMap<object, FieldWork>} */
const all = new WeakMap();

/**
 * The field samples that all screens of one person share.
 * @param {Pick<import("../context.js").Context, 'api' | 'store' | 'preferences'>} context
 * @returns {FieldWork}
 */
export function fieldOf(context) {
    let field = all.get(context.store);
    if (!field) {
        field = createFieldWork({ ...context, language: () => context.preferences.language, outbox: outboxOf(context), disk: createDraftDisk(), makingDisk: createMakingDisk() });
        all.set(context.store, field);
        follow(field);
    }
    return field;
}

/**
 * Writes what is typed before the app goes, and sends what waits whenever there is hope; the outbox follows the connection by itself.
 * @param {FieldWork} field
 */
function follow(field) {
    addEventListener("pagehide", () => void field.drafts.flush());
    addEventListener("online", () => void field.advance());
    document.addEventListener("visibilitychange", () => void (document.hidden ? field.drafts.flush() : field.advance()));
}

/**
 * @param {object} parts
 * @param {Pick<import("../api.js").API, 'get' | 'post' | 'open'>} parts.api
 * @param {Pick<import("../store.js").Store, 'account' | 'connection' | 'keep' | 'kept' | 'keepPage' | 'refresh'>} parts.store
 * @param {Pick<import("../outbox.js").Outbox, 'add' | 'waiting' | 'onAnswer' | 'retry' | 'remove' | 'known' | 'send'>} parts.outbox
 * @param {import("./draft-disk.js").DraftDisk} parts.disk
 * @param {import("./makings.js").MakingDisk} parts.makingDisk
 * @param {() => string} parts.language
 */
export function createFieldWork({ api, store, outbox, disk, makingDisk, language }) {
    const { account, connection } = store;
    const owner = () => account.value?.createdAt ?? null;
    const drafts = createDrafts({ disk, owner });
    const makings = createMakings({ disk: makingDisk, owner });
    const trail = createTrail(drafts);
    const samples = createSamples({ api, store, owner, language });
    const { ready, troubles, trouble, advance, forget } = createWay({ api, store, outbox, drafts, samples, owner });
    let whose = owner();

    const standings = computed([drafts.shown, outbox.waiting, connection, troubles], () =>
        new Map(drafts.shown.value.map((draft) => {
            const told = standingOf(draft, outbox.waiting.value, isCutOff(connection.value));
            const why = troubles.value.get(draft.id);
            return [draft.id, why === undefined || draft.device !== null ? told : { ...told, state: /** @type {const} */ ("refused"), why }];
        })));

    account.subscribe(() => {
        if (owner() === whose) return;
        whose = owner();
        trail.end();
        samples.forget();
        forget();
        drafts.show();
        void advance();
    });

    return {
        drafts,
        makings,
        outbox,
        samples,
        trail,
        ready,
        /** How far each draft has come, by its id. */
        standings,
        /** Why a place could not be made, or a sample not be withdrawn, by the samples. */
        troubles,
        /** The samples that are being withdrawn. */
        withdrawing: () => new Set(outbox.waiting.value.flatMap((row) => aboutOf(row)?.withdrawn ? [aboutOf(row)?.sample ?? ""] : [])),
        advance,

        /** How many samples this device alone has. */
        unsent: () => unsent(drafts.shown.value).length,

        /**
         * Begins a sample; it is kept before this resolves.
         * @param {Omit<Parameters<typeof begun>[0], 'id' | 'account' | 'now'>} what
         */
        async begin(what) {
            const account = owner();
            if (account === null) throw new Error("nobody is signed in");
            // Asked for once something is at stake; browsers that ask nobody answer at once.
            void navigator.storage?.persist?.().catch(() => false);
            const draft = begun({ ...what, id: timedUUID(), account, now: Date.now() });
            await drafts.add(draft);
            return draft.id;
        },

        /**
         * Takes a sample of the service here, to be changed.
         * @param {string} id
         */
        async take(id) {
            const account = owner();
            if (account === null || drafts.find(id)) return;
            const sample = await samples.last(id);
            await drafts.add(taken(sample, await samples.protocolOf(sample), account));
        },

        /**
         * Says that a sample is done, and sends it when that can be done.
         * @param {string} id
         */
        async finish(id) {
            if (trail.listening.value?.sample === id) trail.end();
            drafts.change(id, (draft) => ({ ...draft, state: "done", endedAt: draft.endedAt ?? ended(draft), revision: draft.revision + 1 }));
            await drafts.flush();
            void advance();
        },

        /**
         * Takes a sample up again that was done. What of it is on its way goes on, and what is changed follows it.
         * @param {string} id
         */
        reopen: (id) => drafts.change(id, (draft) => draft.state === "begun" ? draft : { ...draft, state: "begun" }),

        /**
         * Leaves a sample as it is: one in which nothing was said, or that says what the service says, need not be kept.
         * @param {string} id
         */
        async leave(id) {
            const draft = drafts.find(id);
            if (!draft) return;
            if (isBlank(draft) && draft.place === null) return await drafts.remove(id);
            const same = draft.base && JSON.stringify({ ...contentOf(draft), state: "done" }) === JSON.stringify({ ...contentOf(filled(draft, draft.base.content)), state: "done" });
            if (same && draft.state === "begun" && draft.answered === draft.revision && draft.gone.length === 0 && draft.photos.every(({ sent }) => sent)) {
                return await drafts.remove(id);
            }
            await drafts.flush();
        },

        /**
         * Throws a draft away, with what of it waits; what the service has stays there.
         * @param {string} id
         */
        async discard(id) {
            if (trail.listening.value?.sample === id) trail.end();
            for (const row of rowsOf(outbox.waiting.value, id)) await outbox.remove(row);
            await drafts.remove(id);
        },

        /**
         * Sends a sample that the service has no more as another one, with the photos that are on this device. The other takes its place in one step, so
         * that there is one of them however often that is tried.
         * @param {string} id
         * @param {string | null} device Where it is taken.
         */
        async renew(id, device) {
            if (trail.listening.value?.sample === id) trail.end();
            await drafts.replace(id, (former, here) => {
                const kept = former.photos.filter((photo) => here.has(photo.id)).map(({ id, takenAt, type, bytes }) => ({ id, next: { id: timedUUID(), takenAt, type, bytes, sent: false } }));
                const draft = renewed(former, { id: timedUUID(), device, endedAt: former.endedAt ?? ended(former), photos: kept.map(({ next }) => next) });
                return { draft, photos: new Map(kept.map(({ id, next }) => [id, next.id])) };
            });
            void advance();
        },

        /**
         * Takes a sample of the service back: it stays there as withdrawn, and its values with it.
         * @param {Pick<Sample, 'id' | 'version'>} sample
         */
        withdraw: ({ id, version }) =>
            outbox.add({
                id: `${id} withdrawn`, method: "DELETE", path: pathOf(id), ifMatch: versionTag(version), subject: subjectOf(id), about: { sample: id, withdrawn: true },
            }),

        /**
         * @param {string} id
         * @param {{type: string, bytes: ArrayBuffer}} picture
         * @param {number} takenAt
         */
        async addPhoto(id, { type, bytes }, takenAt) {
            if ((drafts.find(id)?.photos.length ?? mostPhotos) >= mostPhotos) return;
            const photo = { id: timedUUID(), takenAt: new Date(takenAt).toISOString(), type, bytes: bytes.byteLength, sent: false };
            await drafts.addPhoto(id, photo, { type, bytes });
        },

        /**
         * Where a photo comes from: this device, else the service.
         * @param {string} id
         * @param {string} photo
         * @returns {import("../../components/photo/photo.js").Source}
         */
        sourceOf: (id, photo) => async () => {
            const own = await drafts.photo(id, photo).catch(() => undefined);
            if (own) return new Blob([own.bytes], { type: own.type });
            return await (await api.open(`${pathOf(id)}/photos/${photo}`)).blob();
        },

        /** Sends what was refused once more. @param {string} id */
        async retry(id) {
            trouble(id, null);
            for (const row of rowsOf(outbox.waiting.value, id)) if (row.refusal) await outbox.retry(row);
            drafts.change(id, (draft) => ({ ...draft, photos: draft.photos.map(({ refused: _, lost: __, ...photo }) => photo) }));
            await advance();
        },

        /**
         * Settles a sample that was changed here and elsewhere.
         * @param {string} id
         * @param {Sample} theirs
         * @param {Readonly<Record<string, 'mine' | 'theirs'>>} chosen
         * @returns {Promise<import("../../water/field/conflict.js").Difference[]>} What is still to be chosen; empty: it goes on its way.
         */
        async settle(id, theirs, chosen) {
            const draft = drafts.find(id);
            if (!draft) return [];
            const mine = contentOf(draft);
            const { content, open } = theirs.state === "withdrawn" ? { content: mine, open: [] } : merged(draft.base?.content ?? null, mine, contentIn(theirs), chosen);
            if (open.length > 0) return open;
            const own = new Set([...draft.photos.map((photo) => photo.id), ...draft.gone]);
            const more = theirs.photos.filter((photo) => !own.has(photo.id)).map((photo) => ({ ...photo, takenAt: photo.takenAt ?? theirs.begunAt, sent: true }));
            drafts.change(id, (now) => ({
                ...filled(now, content), state: "done", revision: now.revision + 1, photos: [...now.photos, ...more], base: { version: theirs.version, content: contentIn(theirs) },
            }));
            await drafts.flush();
            await advance();
            return [];
        },

        /** How full this device is. */
        room: async () => roomOf(await navigator.storage?.estimate?.().catch(() => null) ?? null),

        /** All drafts with their photos as text, to be kept elsewhere. */
        async exported() {
            const found = [];
            for (const draft of drafts.shown.value) {
                const photos = [];
                for (const photo of draft.photos) {
                    const content = await drafts.photo(draft.id, photo.id);
                    photos.push({ ...photo, content: content ? base64(content.bytes) : null });
                }
                found.push({ ...draft, photos });
            }
            return JSON.stringify({ samples: found, unread: drafts.unread.value }, null, 1);
        },

        /** Gives all drafts of a person up, of samples and of protocols. */
        clear: (/** @type {string | null} */ person) => Promise.all([drafts.clear(person), makings.clear(person)]),
    };
}

/** Now, and never before its beginning: the clock may have been put back. @param {Draft} draft */
const ended = ({ begunAt }) => new Date(Math.max(Date.now(), Date.parse(begunAt))).toISOString();

/** @param {ArrayBuffer} buffer */
function base64(buffer) {
    const bytes = new Uint8Array(buffer);
    let text = "";
    for (let place = 0; place < bytes.length; place += 8_192) text += String.fromCharCode(...bytes.subarray(place, place + 8_192));
    return btoa(text);
}
