/**
 * The way of a draft to the service: the record first, then its photos one at a time, then a look whether the service has all of it. Decided
 * from what this device keeps alone, so that it goes on wherever it was cut off.
 */

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").Sample} Sample */

/** What a row of the outbox does to a sample. @typedef {{sample: string, revision?: number, photo?: string, gone?: boolean, withdrawn?: boolean}} About */
/** @typedef {{about?: unknown, state: string, refusal: {status: number, title: string, detail: string} | null}} Row */

/**
 * What comes next: a place is made, the record or a photo goes, a photo is taken away, or the service is asked whether it has all.
 * @typedef {{step: 'place'} | {step: 'record'} | {step: 'photo', photo: string} | {step: 'photoGone', photo: string} | {step: 'look'}} Next
 */

/**
 * How far a sample has come.
 * @typedef {'begun' | 'saved' | 'waiting' | 'sending' | 'refused' | 'conflict' | 'gone' | 'sent'} State
 */

/** @param {{about?: unknown}} row @returns {About | null} */
export function aboutOf({ about }) {
    return about !== null && typeof about === "object" && "sample" in about ? /** @type {About} */ (about) : null;
}

/**
 * The rows of one sample.
 * @template {{about?: unknown}} R
 * @param {readonly R[]} rows
 * @param {string} id
 * @returns {R[]}
 */
export const rowsOf = (rows, id) => rows.filter((row) => aboutOf(row)?.sample === id);

/** Whether a photo goes nowhere before the person has decided. @param {import("./draft.js").DraftPhoto} photo */
const isStuck = ({ refused, lost }) => refused !== undefined || lost !== undefined;

/**
 * @param {Draft} draft
 * @param {readonly Row[]} rows All that wait in the outbox.
 * @returns {Next | null} null: it is the person's turn, or something is on its way.
 */
export function nextOf(draft, rows) {
    if (draft.state === "begun" || draft.isMissing) return null;
    const mine = rowsOf(rows, draft.id);
    const newest = Math.max(0, ...mine.map((row) => aboutOf(row)?.revision ?? 0));
    if (draft.answered !== draft.revision) {
        if (newest === draft.revision) return null;
        return draft.device === null ? { step: "place" } : { step: "record" };
    }
    if (mine.length > 0) return null;
    const [gone] = draft.gone;
    if (gone !== undefined) return { step: "photoGone", photo: gone };
    const photo = draft.photos.find((one) => !one.sent && !isStuck(one));
    if (photo) return { step: "photo", photo: photo.id };
    return draft.photos.every(({ sent }) => sent) ? { step: "look" } : null;
}

/**
 * @param {Draft} draft
 * @param {readonly Row[]} rows
 * @param {boolean} isCutOff Whether nothing can be sent now.
 * @returns {{state: State, why: string, safe: number, photos: number}} why: of what was refused, in the service's words; safe: so many photos
 *     the service has.
 */
export function standingOf(draft, rows, isCutOff) {
    const photos = draft.photos.length;
    const safe = draft.photos.filter(({ sent }) => sent).length;
    /** @param {State} state */
    const told = (state, why = "") => ({ state, why, safe, photos });
    const mine = rowsOf(rows, draft.id);
    const refused = mine.find(({ refusal }) => refusal !== null)?.refusal;
    // The sample is there no more, or its place is not the person's any more.
    if (draft.isMissing || refused?.status === 404) return told("gone");
    if (draft.state === "begun") return told("begun");
    if (refused?.status === 412) return told("conflict");
    if (refused) return told("refused", refused.detail || refused.title);
    const left = draft.photos.find(isStuck);
    if (left) return told("refused", left.refused);
    if (draft.answered === draft.revision && safe === photos) return told("sent");
    if (isCutOff) return told("waiting");
    return told(mine.some(({ state }) => state === "sending") || draft.answered === draft.revision ? "sending" : "saved");
}

/** Whether the service has all that a person has said in a draft. @param {Draft} draft */
export const isAnswered = ({ state, answered, revision }) => state === "done" && answered === revision;

/**
 * Whether the service has shown all that a draft has, so that this device need not keep it.
 * @param {Draft} draft
 * @param {Sample} sample
 */
export function isSafe(draft, sample) {
    const there = new Set(sample.photos.map(({ id }) => id));
    return isAnswered(draft) && draft.base !== null && sample.version >= draft.base.version &&
        draft.gone.length === 0 && draft.photos.every(({ id, sent }) => sent && there.has(id));
}

/**
 * How many samples this device alone has.
 * @param {readonly Draft[]} drafts
 */
export const unsent = (drafts) => drafts.filter((draft) => draft.answered !== draft.revision || draft.revision === 0 || draft.state === "begun" || draft.isMissing || draft.photos.some(({ sent }) => !sent));

/**
 * How full the room of this origin is; null where the browser does not say.
 * @param {{usage?: number, quota?: number} | null} estimate
 * @returns {'enough' | 'little' | 'none' | null} little: it is told; none: no photo is taken in any more.
 */
export function roomOf(estimate) {
    if (!estimate?.quota || estimate.usage === undefined) return null;
    const share = estimate.usage / estimate.quota;
    return share >= 0.9 ? "none" : share >= 0.8 ? "little" : "enough";
}
