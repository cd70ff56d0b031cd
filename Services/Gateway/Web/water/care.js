/** The duties of the water's keepers, and which of them are done: decided here without words. */

import { dateOf, dayAt, dayOf, instantAt } from "./civil.js";
import { datesOf } from "./rhythm.js";

/** @typedef {{id: string, name: string, isMe: boolean}} By Somebody who shares a tank. */

/**
 * @typedef {object} Reminder
 * @property {string} id
 * @property {string} device
 * @property {string} name
 * @property {string} activity
 * @property {import("./rhythm.js").Rhythm} rhythm
 * @property {string} at A time of day, such as 18:00.
 * @property {string} zone In which it is meant.
 * @property {string} startsOn
 * @property {string | null} [nextAt]
 * @property {readonly By[] | null} who Whom it is told; null of a new one of which that is not chosen.
 * @property {string | null} [notes]
 * @property {string | null} [endedAt]
 * @property {string | null} [lastDoneAt]
 * @property {By | null} [lastDoneBy]
 * @property {number} [version] What only this device knows has none.
 */

/** @typedef {'ahead' | 'due' | 'late' | 'done' | 'skipped' | 'missed'} State */
/** @typedef {'done' | 'skipped' | 'later'} What */

/**
 * @typedef {object} Occurrence
 * @property {string} reminder
 * @property {string} on The civil time it is planned for, by which it is known.
 * @property {string} at The instant.
 * @property {State} state
 * @property {string | null} act What was done about it.
 * @property {By | null} by
 * @property {string | null} actedAt
 * @property {string | null} laterUntil
 * @property {Pending | null} [pending] What of it was not answered yet.
 */

/** @typedef {{seq: number, state: 'waiting' | 'sending' | 'refused', reason: string}} Pending */
/** @typedef {{zone: string, reminders: readonly Reminder[], occurrences: readonly Occurrence[]}} Care The service's answer. */

/**
 * What a row of the outbox is about.
 * @typedef {{care: 'act', reminder: string, on: string, act: string, what: What, at: string, until: string | null}
 *     | {care: 'undo', reminder: string, act: string}
 *     | {care: 'reminder', reminder: Reminder}
 *     | {care: 'end', reminder: string}} About
 */

/** @typedef {{about?: unknown, seq?: number, state?: Pending["state"], refusal?: {title: string, detail: string} | null}} Row */

/** @typedef {{key: string, reminder: Reminder, occurrence: Occurrence, time: number, isOpen: boolean, isToday: boolean, daysLate: number}} Item */

const me = Object.freeze({ id: "", name: "", isMe: true });

/** The usual things to do, in the order in which they are offered. */
export const activities = Object.freeze(["waterChange", "cleanFilter", "calibrate", "feed", "test", "dose", "cleanGlass", "other"]);
/** What is work on the water, as the service calls it: its alerts may wait meanwhile. @type {Record<string, string>} */
const works = { waterChange: "waterChange", calibrate: "calibration", cleanFilter: "cleaning", cleanGlass: "cleaning" };

/**
 * A reminder that is offered where nothing is planned yet.
 * @typedef {object} Proposal
 * @property {string} activity
 * @property {string} name
 * @property {import("./rhythm.js").Rhythm} rhythm
 * @property {string} at The time of day.
 */

/**
 * The kind of work on the water that doing it is; null of what touches no probe.
 * @param {Pick<Reminder, "activity">} reminder
 */
export const workOf = ({ activity }) => works[activity] ?? null;

/**
 * What a row of the outbox is about, as far as it concerns reminders.
 * @param {Pick<Row, "about">} row
 * @returns {About | null}
 */
export function aboutOf({ about }) {
    return typeof about === "object" && about !== null && "care" in about ? /** @type {About} */ (about) : null;
}

/**
 * The service's answer with what this device has done since laid over it.
 * @param {Care} care
 * @param {readonly Row[]} rows Of the outbox, in the order of making.
 * @param {number} now
 * @returns {Care}
 */
export function overlaid(care, rows, now) {
    return rows.reduce((before, row) => {
        const about = aboutOf(row);
        if (!about) return before;
        const pending = row.state === undefined || row.seq === undefined
            ? null
            : { seq: row.seq, state: row.state, reason: [row.refusal?.title, row.refusal?.detail].filter(Boolean).join(". ") };
        return laidOver(before, about, pending, now);
    }, care);
}

/**
 * @param {Care} care
 * @param {About} about
 * @param {Pending | null} pending
 * @param {number} now
 * @returns {Care}
 */
function laidOver(care, about, pending, now) {
    /** @param {(occurrence: Occurrence) => boolean} which @param {(occurrence: Occurrence) => Occurrence} change */
    const changed = (which, change) => ({ ...care, occurrences: care.occurrences.map((one) => which(one) ? change(one) : one) });
    switch (about.care) {
        case "act":
            return followed(
                changed(
                    ({ reminder, on }) => reminder === about.reminder && on === about.on,
                    (one) => pending?.state === "refused" ? { ...one, pending } : { ...acted(one, about, now), pending },
                ),
                about,
                pending,
            );
        case "undo":
            return changed(({ act }) => act === about.act, (one) => ({ ...one, ...open(one, care, now), pending }));
        case "reminder":
            return withReminder(care, about.reminder, pending, now);
        case "end":
            if (pending?.state === "refused") return care;
            return {
                ...care,
                reminders: care.reminders.map((one) => one.id === about.reminder ? { ...one, endedAt: new Date(now).toISOString() } : one),
                occurrences: care.occurrences.filter(({ reminder, act }) => reminder !== about.reminder || act !== null),
            };
    }
}

/**
 * @param {Occurrence} occurrence
 * @param {About & {care: 'act'}} about
 * @param {number} now
 * @returns {Occurrence}
 */
function acted(occurrence, { what, act, at, until }, now) {
    if (what !== "later") return { ...occurrence, state: what, act, by: me, actedAt: at };
    const laterUntil = until ?? occurrence.at;
    return { ...occurrence, act, by: me, actedAt: at, laterUntil, at: laterUntil, state: Date.parse(laterUntil) > now ? "ahead" : "due" };
}

/**
 * What an occurrence is when nothing was done about it.
 * @param {Occurrence} occurrence
 * @param {Care} care
 * @param {number} now
 */
function open(occurrence, care, now) {
    const reminder = care.reminders.find(({ id }) => id === occurrence.reminder);
    const zone = reminder?.zone ?? care.zone;
    const time = instantAt(dayOf(occurrence.on), occurrence.on.slice(11, 16), zone);
    const state = time > now ? "ahead" : dayOf(occurrence.on) < dayAt(now, zone) ? "late" : "due";
    return {
        act: null,
        by: null,
        actedAt: null,
        laterUntil: null,
        at: new Date(time).toISOString(),
        state: /** @type {State} */ (state),
    };
}

/**
 * What is counted from when it was done is planned anew.
 * @param {Care} care
 * @param {About & {care: 'act'}} about
 * @param {Pending | null} pending
 * @returns {Care}
 */
function followed(care, about, pending) {
    const reminder = care.reminders.find(({ id }) => id === about.reminder);
    if (!reminder || !("afterDone" in reminder.rhythm) || about.what === "later" || pending?.state === "refused") return care;
    const day = dayAt(Date.parse(about.at), reminder.zone) + reminder.rhythm.afterDone;
    const kept = care.occurrences.filter(({ reminder: id, act, on }) => id !== reminder.id || act !== null || on === about.on);
    return { ...care, occurrences: [...kept, planned(reminder, day)] };
}

/**
 * @param {Reminder} reminder
 * @param {number} day
 * @returns {Occurrence}
 */
function planned(reminder, day) {
    const at = new Date(instantAt(day, reminder.at, reminder.zone)).toISOString();
    return { reminder: reminder.id, on: `${dateOf(day)}T${reminder.at}`, at, state: "ahead", act: null, by: null, actedAt: null, laterUntil: null };
}

/**
 * A reminder that only this device knows, or knows in this way, with its next times.
 * @param {Care} care
 * @param {Reminder} reminder
 * @param {Pending | null} pending
 * @param {number} now
 * @returns {Care}
 */
function withReminder(care, reminder, pending, now) {
    const others = care.reminders.filter(({ id }) => id !== reminder.id);
    const before = care.reminders.find(({ id }) => id === reminder.id);
    if (pending?.state === "refused" && before) return care;
    const from = [reminder.startsOn, dateOf(dayAt(now, reminder.zone))].reduce((one, other) => one > other ? one : other);
    const settled = care.occurrences.filter((one) => one.reminder !== reminder.id || one.act !== null);
    const taken = new Set(settled.filter((one) => one.reminder === reminder.id).map(({ on }) => on));
    const next = datesOf(reminder.rhythm, reminder.startsOn, 5, from).map((date) => ({ ...planned(reminder, dayOf(date)), pending }))
        .filter(({ on }) => !taken.has(on))
        .map((one) => ({ ...one, state: /** @type {State} */ (Date.parse(one.at) > now ? "ahead" : "due") }));
    return { ...care, reminders: [...others, { ...before, ...reminder }], occurrences: [...settled, ...next] };
}

/**
 * The rows of the list of what is due.
 * @param {Care} care
 * @param {number} now
 * @param {string} zone Of the person, whose day it is.
 * @returns {{late: Item[], today: Item[], done: Item[], ahead: Item[]}} The longest late first, then by time; of what is ahead the next of each
 *     reminder that has nothing to do before.
 */
export function listOf(care, now, zone) {
    const items = itemsOf(care, now, zone);
    const late = items.filter(({ isOpen, occurrence: { state } }) => isOpen && state === "late");
    const today = items.filter(({ isOpen, isToday, occurrence: { state } }) => isOpen && isToday && state !== "late");
    const done = items.filter(({ isOpen, occurrence: { actedAt } }) => !isOpen && actedAt !== null && dayAt(Date.parse(actedAt), zone) === dayAt(now, zone));
    /** @type {Map<string, Item>} */
    const next = new Map();
    const open = new Set([...late, ...today].map(({ reminder }) => reminder.id));
    for (const item of items) {
        const { reminder, occurrence: { state } } = item;
        if (state === "ahead" && !item.isToday && !open.has(reminder.id) && !next.has(reminder.id)) next.set(reminder.id, item);
    }
    return { late, today, done, ahead: [...next.values()] };
}

/**
 * All occurrences of an answer with their reminders, by time.
 * @param {Care} care
 * @param {number} now
 * @param {string} zone
 * @returns {Item[]}
 */
export function itemsOf(care, now, zone) {
    const reminders = new Map(care.reminders.map((reminder) => [reminder.id, reminder]));
    const today = dayAt(now, zone);
    return care.occurrences.flatMap((occurrence) => {
        const reminder = reminders.get(occurrence.reminder);
        if (!reminder) return [];
        const time = Date.parse(occurrence.at);
        const day = dayAt(time, zone);
        const isOpen = occurrence.state === "due" || occurrence.state === "late" || occurrence.state === "ahead";
        // The day may have ended since the service was asked.
        const state = occurrence.state === "ahead" && time <= now ? "due" : occurrence.state;
        const shown = state === "due" && day < today ? "late" : state;
        return [{
            key: `${reminder.id} ${occurrence.on}`,
            reminder,
            occurrence: shown === occurrence.state ? occurrence : { ...occurrence, state: /** @type {State} */ (shown) },
            time,
            isOpen,
            isToday: day === today,
            daysLate: Math.max(0, today - day),
        }];
    }).sort((one, other) => one.time - other.time || one.key.localeCompare(other.key));
}

/**
 * What is to be done now or today, the longest late first.
 * @param {Care | null} care
 * @param {number} now
 * @param {string} zone
 */
export function todoOf(care, now, zone) {
    if (!care) return [];
    const { late, today } = listOf(care, now, zone);
    return [...late, ...today];
}

/**
 * Who is reminded first; null where nobody is, or it is not known.
 * @param {Pick<Reminder, "who">} reminder
 * @returns {By | null}
 */
export const firstOf = ({ who }) => who?.[0] ?? null;
