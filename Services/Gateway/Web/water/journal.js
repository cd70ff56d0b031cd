/**
 * What people did to the water and saw in it: the entries of the journal, as the service lists them, with what still waits on this phone, and
 * the tests by hand, the work on the water and the reminders done, which are written elsewhere.
 */

/**
 * @typedef {object} Person
 * @property {string} id
 * @property {string} name
 * @property {boolean} isMe
 */

/**
 * @typedef {object} Photo
 * @property {string} id
 * @property {string} type
 * @property {number} width
 * @property {number} height
 * @property {number} bytes
 */

/**
 * What lines have that are written elsewhere.
 * @typedef {object} Details
 * @property {string} [parameter] Of calibrated: the probe of which parameter; its kind says what was done.
 * @property {Omit<import("./by-hand.js").HandValue, "finding">[]} [values] Of a test by hand.
 * @property {string} [kind] Of work on the water.
 * @property {string} [from]
 * @property {string} [until]
 * @property {string | null} [endedAt] null while it goes on.
 * @property {string} [name] Of a reminder.
 * @property {string} [activity]
 */

/** @typedef {'saved' | 'waiting' | 'refused'} Waiting How far an entry that this phone keeps has come. */

/**
 * @typedef {object} Entry
 * @property {string} id
 * @property {string} device
 * @property {string} kind One of `kinds`, or one that other parts of the service add to the list.
 * @property {string} at
 * @property {number | null} amount
 * @property {string | null} unit
 * @property {string | null} subject
 * @property {number | null} count
 * @property {string | null} text
 * @property {readonly Photo[]} photos
 * @property {Person | null} by null: somebody who is gone.
 * @property {Details | null} [details] Of what is written elsewhere.
 * @property {number} version 0: the service does not have it yet.
 * @property {Waiting} [waiting] What of it has not reached the service.
 * @property {string} [refusal] Why the service does not take it, in words.
 */

/** @typedef {Pick<Entry, 'kind' | 'at' | 'amount' | 'unit' | 'subject' | 'count' | 'text'>} Content What a person writes. */

/**
 * What a kind of entry can say.
 * @typedef {object} Kind
 * @property {string} symbol
 * @property {readonly string[]} [units] Of its amount, the usual one first.
 * @property {boolean} [hasSubject]
 * @property {boolean} [hasCount]
 * @property {boolean} [needsSubject] Whether the service takes none without.
 * @property {boolean} [asks] Whether it says nothing by itself, so that a tap asks.
 */

/** The kinds that people write, in the order of the sheet. @type {Record<string, Kind>} */
export const kinds = {
    waterChanged: { symbol: "bucket", units: ["percent", "litre"] },
    fed: { symbol: "bowl", units: ["gram"], hasSubject: true },
    dosed: { symbol: "bottle", units: ["millilitre", "gram", "drop", "tablet"], hasSubject: true, needsSubject: true, asks: true },
    cleaned: { symbol: "brush", hasSubject: true },
    added: { symbol: "addBox", hasSubject: true, needsSubject: true, hasCount: true, asks: true },
    moved: { symbol: "arrows", hasSubject: true, needsSubject: true, hasCount: true, asks: true },
    note: { symbol: "pencil", asks: true },
    died: { symbol: "died", hasSubject: true, needsSubject: true, hasCount: true, asks: true },
};

/** Symbols of what other parts of the service list among the entries. @type {Record<string, string>} */
const others = { tested: "testTube", worked: "bucket", done: "check", calibrated: "crossHair" };

/** The kinds by which the list is chosen, in their order. */
export const listed = [...Object.keys(kinds), "tested", "worked", "done", "calibrated"];

/** @param {string} kind */
export function symbolOf(kind) {
    return kinds[kind]?.symbol ?? others[kind] ?? "pencil";
}

/**
 * The newest first; entries of one moment keep one order.
 * @param {Entry} one
 * @param {Entry} other
 */
export function byTime(one, other) {
    return Date.parse(other.at) - Date.parse(one.at) || (one.id < other.id ? 1 : -1);
}

/**
 * Entries with what waits on this phone laid over them: written, changed or deleted, and not yet known by the service.
 * @param {readonly Entry[]} items
 * @param {readonly Entry[]} waiting
 * @param {ReadonlySet<string>} gone The ids of those that were deleted here.
 * @returns {Entry[]}
 */
export function laidOver(items, waiting, gone) {
    const own = new Map(waiting.map((entry) => [entry.id, entry]));
    const known = new Set(items.map(({ id }) => id));
    return [...items.map((entry) => own.get(entry.id) ?? entry), ...waiting.filter(({ id }) => !known.has(id))]
        .filter(({ id }) => !gone.has(id))
        .sort(byTime);
}

/**
 * Entries by days, the newest day first.
 * @param {readonly Entry[]} items In their order.
 * @param {(time: number) => string} dayOf What tells a day from the others.
 * @returns {{day: string, items: Entry[]}[]} None of the days is empty.
 */
export function byDay(items, dayOf) {
    /** @type {{day: string, items: Entry[]}[]} */
    const days = [];
    for (const entry of items) {
        const day = dayOf(Date.parse(entry.at));
        const last = days.at(-1);
        if (last?.day === day) last.items.push(entry);
        else days.push({ day, items: [entry] });
    }
    return days;
}

/** The kinds that are done again and again. */
const repeated = new Set(["waterChanged", "fed", "dosed", "cleaned"]);

/**
 * What was done last of each kind that is done again and again, the newest first, where it said how much or what: doses differ by
 * what was dosed.
 * @param {readonly Entry[]} items The newest first.
 * @param {number} most
 */
export function asLastTime(items, most = 4) {
    /** @type {Map<string, Entry>} */
    const last = new Map();
    for (const entry of items) {
        if (!repeated.has(entry.kind)) continue;
        const key = entry.kind === "dosed" ? `dosed ${entry.subject?.trim().toLowerCase() ?? ""}` : entry.kind;
        if (!last.has(key)) last.set(key, entry);
    }
    return [...last.values()].filter(({ amount, subject }) => amount !== null || subject !== null).slice(0, most);
}

/**
 * What was named before in entries of a kind, the last first.
 * @param {readonly Entry[]} items The newest first.
 * @param {string} kind
 * @param {number} most
 */
export function subjectsOf(items, kind, most = 4) {
    const found = items.flatMap((entry) => entry.kind === kind && entry.subject ? [entry.subject] : []);
    return [...new Map(found.map((subject) => [subject.toLowerCase(), subject])).values()].slice(0, most);
}

/**
 * A new entry's content, with nothing said but what it is and when.
 * @param {string} kind
 * @param {number} now
 * @returns {Content}
 */
export function bare(kind, now) {
    return { kind, at: new Date(now).toISOString(), amount: null, unit: null, subject: null, count: null, text: null };
}

/**
 * What the service is sent of an entry.
 * @param {Content} content
 * @returns {Content}
 */
export function sent({ kind, at, amount, unit, subject, count, text }) {
    return { kind, at, amount, unit: amount === null ? null : unit, subject: subject?.trim() || null, count, text: text?.trim() || null };
}
