/**
 * The way of drafts to the service: what comes next of each is decided from what this device keeps, done by the outbox, and noted when it was
 * answered.
 */

import { signal } from "../../page/signals.js";
import { contentIn, contentOf, filled } from "../../water/field/draft.js";
import { aboutOf, isAnswered, isSafe, nextOf, rowsOf } from "../../water/field/sending.js";
import { isCutOff } from "../../water/headline.js";
import { isProblem } from "../../words/problem.js";
import { createCoalesced } from "../coalesced.js";
import { versionTag } from "../versions.js";

/** @typedef {import("../../water/field/draft.js").Draft} Draft */

/** Whether the service has not got what it was asked for. @param {any} refusal */
const isMissing = (refusal) => refusal?.status === 404;

/** @param {string} id */
export const pathOf = (id) => `/field-samples/${id}`;
/** @param {string} id */
export const subjectOf = (id) => `sample ${id}`;

/**
 * @param {object} parts
 * @param {Pick<import("../api.js").API, 'post'>} parts.api
 * @param {Pick<import("../store.js").Store, 'connection' | 'refresh'>} parts.store
 * @param {Pick<import("../outbox.js").Outbox, 'add' | 'waiting' | 'onAnswer' | 'remove' | 'known'>} parts.outbox
 * @param {import("./drafts.js").Drafts} parts.drafts
 * @param {ReturnType<typeof import("./samples.js").createSamples>} parts.samples
 * @param {() => string | null} parts.owner
 */
export function createWay({ api, store, outbox, drafts, samples, owner }) {
    const { connection } = store;
    /** Why a place could not be made, or a sample not be withdrawn, by the samples. */
    const troubles = signal(/** @type {ReadonlyMap<string, string>} */ (new Map()));
    // What waits in the outbox is on its way already, and is known before anything is added to it.
    const ready = Promise.all([drafts.load(), outbox.known()]).catch((error) => console.info("No drafts can be kept here.", error));

    /** @param {string} id @param {string | null} why */
    function trouble(id, why) {
        const next = new Map(troubles.value);
        if (why === null) next.delete(id);
        else next.set(id, why);
        troubles.value = next;
    }

    const advancing = createCoalesced(async () => {
        await ready;
        if (owner() === null) return;
        // Another window may have changed them.
        await drafts.load();
        for (const { id, instead } of drafts.shown.value) {
            if (instead !== undefined) await giveUp(instead).catch((error) => console.info("A refusal stays.", error));
            // As it is now: it may have been thrown away, or taken up again, while those before it went.
            const draft = drafts.find(id);
            const next = draft && nextOf(draft, outbox.waiting.value);
            if (next) await perform(draft, next).catch((error) => console.info("A sample waits.", error));
        }
    });

    /** Takes what waits of a sample out of the outbox: another one was sent anew of it. @param {string} id */
    async function giveUp(id) {
        for (const row of rowsOf(outbox.waiting.value, id)) await outbox.remove(row);
    }

    /**
     * @param {Draft} draft
     * @param {import("../../water/field/sending.js").Next} next
     */
    async function perform(draft, next) {
        const { id } = draft;
        if (next.step === "place") return await makePlace(draft);
        if (next.step === "look") return await look(draft);
        const subject = subjectOf(id);
        if (next.step === "record") {
            const about = { sample: id, revision: draft.revision };
            const ifMatch = versionTag(draft.base?.version);
            return await outbox.add({ id, method: "PUT", path: pathOf(id), body: contentOf(draft), stamp: "sentAt", ifMatch, subject, about });
        }
        const { photo } = next;
        const path = `${pathOf(id)}/photos/${photo}`;
        if (next.step === "photoGone") {
            return await outbox.add({ id: `${photo} gone`, method: "DELETE", path, subject, about: { sample: id, photo, gone: true } });
        }
        const content = await drafts.photo(id, photo);
        if (!content) return await settlePhoto(id, photo, { lost: "here" });
        const taken = draft.photos.find((one) => one.id === photo)?.takenAt ?? draft.begunAt;
        const dated = `${path}?takenAt=${encodeURIComponent(taken)}`;
        await outbox.add({ id: photo, method: "PUT", path: dated, body: content.bytes, type: content.type, subject, about: { sample: id, photo } });
    }

    /**
     * A new place is made under the sample's id as its key, so that it is made once however often that is tried.
     * @param {Draft} draft
     */
    async function makePlace({ id, place, position }) {
        if (isCutOff(connection.value)) return;
        try {
            const { latitude, longitude, accuracy, source } = position ?? {};
            const { data } = await api.post("/sites", { name: place, latitude, longitude, accuracy, source }, { headers: { "Idempotency-Key": id } });
            drafts.change(id, (draft) => ({ ...draft, device: data.id, place: null }));
            trouble(id, null);
            await drafts.flush();
            void store.refresh(["devices"]).catch(() => {});
            void advancing.ask();
        } catch (error) {
            if (isProblem(error) && error.status < 500) trouble(id, error.detail || error.title);
            throw error;
        }
    }

    /**
     * Asks whether the service has all of a sample; then this device need not keep it.
     * @param {Draft} draft
     */
    async function look({ id }) {
        if (isCutOff(connection.value)) return;
        const sample = await samples.one(id).catch((error) => {
            if (isMissing(error)) return null;
            throw error;
        });
        if (sample === null) return await miss(id);
        const now = drafts.find(id);
        if (!now) return;
        samples.take(sample);
        if (isSafe(now, sample)) return await drafts.remove(id, (draft) => isSafe(draft, sample));
        const there = new Set(sample.photos.map((photo) => photo.id));
        // Somebody has taken it up again, or the service shows less than it did: what is here stays.
        if (now.state !== "done" || now.photos.every((photo) => there.has(photo.id))) return;
        // What it took and does not show goes once more; then the person decides.
        /** @param {import("../../water/field/draft.js").DraftPhoto} photo @returns {import("../../water/field/draft.js").DraftPhoto} */
        const once = (photo) => photo.again ? { ...photo, sent: false, lost: "there" } : { ...photo, sent: false, again: true };
        drafts.change(id, (draft) => ({ ...draft, photos: draft.photos.map((photo) => there.has(photo.id) ? photo : once(photo)) }));
        await drafts.flush();
        void advancing.ask();
    }

    /** Notes that the service has a sample no more. @param {string} id */
    async function miss(id) {
        drafts.note(id, (draft) => ({ ...draft, isMissing: true }));
        await drafts.flush();
    }

    /**
     * @param {string} id
     * @param {string} photo
     * @param {{sent?: boolean, refused?: string, lost?: 'here'}} end
     */
    async function settlePhoto(id, photo, end) {
        drafts.note(id, (draft) => ({ ...draft, photos: draft.photos.map((one) => one.id === photo ? { ...one, ...end } : one) }));
        await drafts.flush();
    }

    outbox.onAnswer((row, { data }) => {
        const about = aboutOf(row);
        if (!about) return;
        const { sample, photo, revision } = about;
        if (about.withdrawn) {
            void samples.read();
            void drafts.remove(sample, isAnswered);
            return;
        }
        if (photo !== undefined && about.gone) drafts.note(sample, (draft) => ({ ...draft, gone: draft.gone.filter((one) => one !== photo) }));
        else if (photo !== undefined) void settlePhoto(sample, photo, { sent: true });
        else if (revision !== undefined && data?.id === sample) {
            samples.take(data);
            const content = contentIn(data);
            drafts.note(sample, (draft) => {
                // The way is shown as the service keeps it, which thins it further.
                const { track } = draft.state === "done" && draft.revision === revision ? filled(draft, content) : draft;
                return { ...draft, track, answered: Math.max(draft.answered, revision), base: { version: data.version, content } };
            });
        }
        void drafts.flush();
    });

    /** What the service refuses of a photo is told beside it, and the others go on. */
    function sortOut() {
        for (const row of outbox.waiting.value) {
            const about = aboutOf(row);
            if (!about || row.refusal === null) continue;
            const { detail, title } = row.refusal;
            if (about.withdrawn) {
                trouble(about.sample, detail || title);
                void outbox.remove(row).then(samples.read);
                continue;
            }
            if (about.photo === undefined || about.gone) continue;
            const settled = isMissing(row.refusal) ? miss(about.sample) : settlePhoto(about.sample, about.photo, { refused: detail || title });
            void settled.then(() => outbox.remove(row));
        }
        void advancing.ask();
    }

    outbox.waiting.subscribe(sortOut);
    connection.subscribe(() => connection.value.state === "live" && void advancing.ask());
    void advancing.ask();

    return {
        ready,
        troubles,
        trouble,
        advance: advancing.ask,
        forget() {
            troubles.value = new Map();
        },
    };
}
