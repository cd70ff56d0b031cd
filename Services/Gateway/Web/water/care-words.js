/** What is said of reminders: of one in a row, of all in a headline, of a tank's on its home screen. */

import { firstOf, listOf, todoOf } from "./care.js";
import { dayAt, dayText } from "./civil.js";
import { minutesOf } from "./quiet.js";
import { rhythmText } from "./rhythm.js";

/** @typedef {import("../words/format.js").Voice} Voice */
/** @typedef {import("./care.js").Care} Care */
/** @typedef {import("./care.js").Item} Item */
/** @typedef {import("./headline.js").ShapeName} ShapeName */

/**
 * @typedef {object} ItemWords
 * @property {string} name
 * @property {string} detail
 * @property {string} when
 * @property {ShapeName | null} shape
 * @property {'late' | 'today' | 'past' | 'plain'} tone
 * @property {string} initial Of whoever is reminded first.
 * @property {string} spoken All of it, for readers.
 */

/**
 * When something is, in a few words: tomorrow, in 3 days, 1 December.
 * @param {Voice} voice
 * @param {number} time
 * @param {number} now
 */
export function dayWord({ t, format }, time, now) {
    const [day, today] = [dayAt(time, format.zone), dayAt(now, format.zone)];
    const count = day - today;
    if (count === 0) return t("care.today_at", { time: format.clock(time) });
    if (count === 1) return t("care.tomorrow");
    if (count > 1 && count < 7) return t("care.inDays", { count });
    return dayText(day, format.locale, { day: "numeric", month: "long" });
}

/** @param {Voice} voice @param {number} days */
const lateWord = ({ t }, days) => days === 0 ? t("care.late") : t("care.daysLate", { count: days });

/**
 * Who did something; empty of somebody who is gone.
 * @param {Voice} voice
 * @param {import("./care.js").By | null | undefined} by
 */
export const personText = ({ t }, by) => !by ? "" : by.isMe ? t("care.you") : by.name;

/**
 * The right of a row.
 * @param {Voice} voice
 * @param {Item} item
 * @param {number} now
 * @returns {{when: string, shape: ShapeName | null, tone: ItemWords['tone']}}
 */
function whenOf(voice, { occurrence, daysLate, time, isToday }, now) {
    const { t, format } = voice;
    const { state, pending } = occurrence;
    if (pending && pending.state !== "refused") return { when: t("care.notSent"), shape: "pending", tone: "past" };
    switch (state) {
        case "done":
            return { when: personText(voice, occurrence.by), shape: null, tone: "past" };
        case "skipped":
            return { when: t("care.skipped"), shape: null, tone: "past" };
        case "missed":
            return { when: t("care.missed"), shape: "late", tone: "past" };
        case "late":
            return { when: lateWord(voice, daysLate), shape: "late", tone: "late" };
        default:
            return isToday ? { when: format.clock(time), shape: null, tone: "today" } : { when: dayWord(voice, time, now), shape: null, tone: "plain" };
    }
}

/**
 * @param {Voice} voice
 * @param {Item} item
 * @param {object} more
 * @param {string} more.tank Its name.
 * @param {number} more.now
 * @param {string} [more.me] The name of whoever reads.
 * @returns {ItemWords}
 */
export function itemWords(voice, item, { tank, now, me = "" }) {
    const { t, format } = voice;
    const { reminder, occurrence } = item;
    const { state, actedAt, pending } = occurrence;
    const { when, shape, tone } = whenOf(voice, item, now);
    const acted = actedAt === null ? 0 : Date.parse(actedAt);
    const detail = pending?.state === "refused"
        ? t("care.refused", { reason: pending.reason })
        : state === "done"
        ? t(pending ? "care.detail_ticked" : "care.detail_done", { tank, at: format.at(acted, now) })
        : t("care.detail", { tank, rhythm: rhythmText(voice, reminder.rhythm) });
    const turn = tone === "past" ? null : firstOf(reminder);
    const who = turn ? (turn.isMe ? me : turn.name) : "";
    return {
        name: reminder.name,
        detail,
        when,
        shape: pending?.state === "refused" ? "fault" : shape,
        tone,
        initial: [...who.trim()][0]?.toLocaleUpperCase(format.locale) ?? "",
        spoken: [reminder.name, detail, when, who, t(`care.state_${state}`)].filter((part) => part !== "").join(", "),
    };
}

/**
 * @param {Voice} voice
 * @param {Care} care
 * @param {number} now
 * @param {{seenAt: number, isOld: boolean}} known
 * @returns {{headline: string, sentence: string}}
 */
export function careHeadline(voice, care, now, { seenAt, isOld }) {
    const { t, format } = voice;
    const { late, today, done, ahead } = listOf(care, now, format.zone);
    const count = late.length + today.length;
    const planned = care.reminders.filter(({ endedAt }) => !endedAt);
    const old = isOld ? t("care.seen", { at: format.at(seenAt, now) }) : "";
    if (planned.length === 0 && done.length === 0) return { headline: t("care.nothing"), sentence: old || t("care.nothing_text") };
    const [next] = ahead;
    const nextText = next ? t("care.next", { name: next.reminder.name, when: dayWord(voice, next.time, now) }) : "";
    if (count === 0) {
        return { headline: t(done.length > 0 ? "care.allDone" : "care.noneToday"), sentence: old || nextText };
    }
    const [first] = late;
    const lateText = late.length === 0
        ? ""
        : late.length === 1 && first.daysLate > 0
        ? t("care.oneLate", { count: first.daysLate })
        : t("care.severalLate", { count: late.length });
    return { headline: t("care.todo", { count }), sentence: old || lateText || nextText };
}

/**
 * A tank's quiet line: the worst thing that is due, and how many more.
 * @param {Voice} voice
 * @param {Care | null} care
 * @param {string} device
 * @param {number} now
 * @returns {{text: string, shape: ShapeName, isLate: boolean} | null}
 */
export function homeLine(voice, care, device, now) {
    const { t, format } = voice;
    const items = todoOf(care, now, format.zone).filter(({ reminder }) => reminder.device === device);
    const [first] = items;
    if (!first) return null;
    const isLate = first.occurrence.state === "late";
    const { name } = first.reminder;
    const one = isLate
        ? t("care.home_late", { name, late: lateWord(voice, first.daysLate) })
        : t("care.home_today", { name, time: format.clock(first.time) });
    const text = items.length > 1 ? t("care.home_more", { one, count: items.length - 1 }) : one;
    return { text, shape: isLate ? "late" : "due", isLate };
}

/**
 * The next dates of a rhythm, in a sentence.
 * @param {Voice} voice
 * @param {readonly number[]} days
 * @param {string} zone
 * @param {number} today
 */
export function datesText({ t, format }, days, zone, today) {
    // The month is said once, behind the last.
    const texts = days.map((day, index) => {
        if (day === today) return t("care.today");
        const isLast = index === days.length - 1;
        return dayText(day, format.locale, { weekday: "long", day: "numeric", ...isLast ? { month: "long" } : {} });
    });
    if (texts.length === 0) return t("care.noDates");
    // Some languages have commas within dates.
    const list = texts.join(" · ");
    return zone === format.zone ? t("care.dates", { dates: list }) : t("care.dates_zone", { dates: list, city: zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ") });
}

/** @param {Voice} voice @param {string} at */
export const clockText = ({ format }, at) => format.timeOfDay(minutesOf(at) ?? 0);
