/** What waits in the outbox for the journal, as entries that screens show: decisions alone. */

/** @typedef {import("../water/journal.js").Entry} Entry */
/** @typedef {import("../water/journal.js").Photo} Photo */

/**
 * The effect of a row of the outbox on the journal.
 * @typedef {{journal: 'entry', entry: Entry} | {journal: 'gone', id: string} | {journal: 'photo', id: string, photo: Photo}
 *     | {journal: 'small', id: string} | {journal: 'photoGone', id: string, photo: string}} About
 */

/** @typedef {{about?: unknown, state: string, refusal: {title: string, detail: string} | null, isTried?: boolean}} Row */

/**
 * The effect of a row on the journal; null of rows about something else.
 * @param {{about?: unknown}} row
 * @returns {About | null}
 */
export function aboutOf({ about }) {
    return about !== null && typeof about === "object" && "journal" in about ? /** @type {About} */ (about) : null;
}

/** @param {About} about */
export function entryOf(about) {
    return about.journal === "entry" ? about.entry.id : about.id;
}

/**
 * Entries as they will be once everything was sent, and those that are gone.
 * @param {readonly Row[]} rows In the order of making.
 * @param {(id: string) => Entry | undefined} known What the service says of an entry.
 * @param {boolean} isCutOff Whether nothing can be sent now.
 */
export function waitingOf(rows, known, isCutOff) {
    /** @type {Map<string, Entry>} */
    const entries = new Map();
    /** @type {Set<string>} */
    const gone = new Set();
    for (const row of rows) {
        const about = aboutOf(row);
        if (!about) continue;
        const id = entryOf(about);
        if (about.journal === "gone") {
            // What the service does not delete is there again, and says why.
            if (row.refusal === null) {
                gone.add(id);
                continue;
            }
        }
        const before = entries.get(id) ?? known(id);
        const after = about.journal === "entry" ? { ...about.entry, photos: before?.photos ?? about.entry.photos } : before;
        if (!after) continue;
        const refusal = row.refusal ? row.refusal.detail || row.refusal.title : before?.refusal;
        const waiting = refusal !== undefined ? "refused" : isCutOff ? "waiting" : "saved";
        entries.set(id, { ...after, photos: photosAfter(after.photos, about), waiting, ...(refusal === undefined ? {} : { refusal }) });
    }
    return { waiting: [...entries.values()], gone };
}

/**
 * @param {readonly Photo[]} photos
 * @param {About} about
 */
function photosAfter(photos, about) {
    if (about.journal === "photo") return [...photos.filter(({ id }) => id !== about.photo.id), about.photo];
    return about.journal === "photoGone" ? photos.filter(({ id }) => id !== about.photo) : photos;
}

/**
 * The entries of a list after the service has answered a row.
 * @param {readonly Entry[]} items
 * @param {About} about
 * @param {Entry | null} answer What the service says of the entry, where it does.
 * @returns {readonly Entry[]}
 */
export function settled(items, about, answer) {
    const id = entryOf(about);
    const had = items.find((entry) => entry.id === id);
    if (about.journal === "gone") return items.filter((entry) => entry.id !== id);
    if (about.journal === "entry") {
        const entry = answer ?? { ...about.entry, photos: had?.photos ?? about.entry.photos, version: about.entry.version + 1 };
        return had ? items.map((one) => one.id === id ? entry : one) : [...items, entry];
    }
    return items.map((entry) => entry.id === id ? { ...entry, photos: photosAfter(entry.photos, about) } : entry);
}
