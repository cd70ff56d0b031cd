/** What a device sent and could not be read, in words. */

/** @typedef {import("../words/format.js").Voice} Voice */

/**
 * @typedef {object} Reject
 * @property {string} day UTC.
 * @property {string} reason
 * @property {string} subject The parameter, or the name that is none; empty for the message as a whole.
 * @property {number} messages
 * @property {string} firstAt
 * @property {string} lastAt
 * @property {string} topic
 * @property {string} detail
 * @property {string} sample
 */

/**
 * What was wrong, as the end of a sentence.
 * @param {Pick<Voice, "t">} voice
 * @param {Pick<Reject, "reason" | "subject">} reject
 */
export function reasonText({ t }, { reason, subject }) {
    const isParameter = /^\w+$/.test(subject) && t.has(`water.${subject}_full`);
    const name = isParameter ? t(`water.${subject}_full`) : subject;
    const key = `rejects.reason_${reason}`;
    if (!t.has(key)) return t("rejects.reason_other");
    return name === "" && t.has(`${key}_all`) ? t(`${key}_all`) : t(key, { name });
}

/**
 * How many messages, and when. A day here is another one than a day of the service: only what began today is of today.
 * @param {Voice} voice
 * @param {Pick<Reject, "messages" | "firstAt">} reject
 * @param {number} now
 */
export function countText({ t, format }, { messages, firstAt }, now) {
    const first = Date.parse(firstAt);
    const isToday = format.day(first, now) === t("time.today");
    return t(isToday ? "rejects.today" : "rejects.since", { count: messages, time: format.placed(first, now), at: format.at(first, now) });
}

/**
 * The notice of a device, while a kind of message that nobody has looked at could not be read.
 * @param {import("./headline.js").Tank | null | undefined} tank
 * @param {string | null} seen Up to when the person has looked at what could not be read.
 */
export function unseen(tank, seen) {
    const unreadable = tank?.unreadable;
    if (!unreadable) return null;
    return seen !== null && Date.parse(unreadable.since) <= Date.parse(seen) ? null : unreadable;
}

/**
 * By what an installation remembers up to when somebody has looked.
 * @param {string} device
 */
export const seenKey = (device) => `rejects-${device}`;

/**
 * What to do about it.
 * @param {Pick<Voice, "t">} voice
 * @param {Pick<Reject, "reason">} reject
 */
export function adviceText({ t }, { reason }) {
    const key = `rejects.reason_${reason}_todo`;
    return t.has(key) ? t(key) : t("rejects.todo");
}
