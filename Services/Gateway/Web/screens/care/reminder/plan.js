/** What a reminder's form holds, and what the person turns in it: decisions alone. */

import { dateOf, dayAt, dayOf, partsOf, weekdayOf } from "../../../water/civil.js";
import { daysWith } from "../../../water/quiet.js";
import { week } from "../../../water/rhythm.js";

/** @typedef {import("../../../water/care.js").Reminder} Reminder */
/** @typedef {import("../../../water/rhythm.js").Rhythm} Rhythm */
/** @typedef {'week' | 'days' | 'month'} Mode How often, as the form asks for it. */

/** The greatest number of days. */
export const mostDays = 366;
/** The last day of a month, whichever that is. */
export const lastDay = -1;

/**
 * How the form shows a rhythm; null of one that it shows in words alone, as one by the API may be.
 * @param {Rhythm} rhythm
 * @returns {Mode | null}
 */
export function modeOf(rhythm) {
    if ("afterDone" in rhythm || rhythm.every === "day") return "days";
    if (rhythm.every === "week") return rhythm.interval === 1 ? "week" : null;
    return rhythm.every === "month" && "day" in rhythm && rhythm.interval === 1 ? "month" : null;
}

/**
 * The rhythm with which a mode begins, from a day.
 * @param {Mode} mode
 * @param {string} startsOn
 * @returns {Rhythm}
 */
export function begun(mode, startsOn) {
    const day = dayOf(startsOn);
    if (mode === "week") return { every: "week", interval: 1, days: [week[weekdayOf(day) - 1]] };
    if (mode === "days") return { every: "day", interval: 7 };
    const { date } = partsOf(day);
    // Months without such a day would be left out.
    return { every: "month", interval: 1, day: date > 28 ? lastDay : date };
}

/**
 * @param {Rhythm} rhythm
 * @param {string} day
 * @returns {Rhythm} The same where no day would be left.
 */
export function withDay(rhythm, day) {
    if (!("every" in rhythm) || rhythm.every !== "week") return rhythm;
    const days = daysWith(rhythm.days, day);
    return days ? { ...rhythm, days } : rhythm;
}

/** @param {Rhythm} rhythm */
export const countOf = (rhythm) => "afterDone" in rhythm ? rhythm.afterDone : "interval" in rhythm ? rhythm.interval : 1;

/**
 * So many days, counted from the plan or from when it was done.
 * @param {number} count
 * @param {boolean} isAfterDone
 * @returns {Rhythm}
 */
export const everyDays = (count, isAfterDone) => isAfterDone ? { afterDone: count } : { every: "day", interval: count };

/**
 * The day of a month that is so many steps later; the last day follows the 31st.
 * @param {number} day
 * @param {number} count
 */
export function monthDayAfter(day, count) {
    const next = Math.min(32, Math.max(1, (day === lastDay ? 32 : day) + count));
    return next === 32 ? lastDay : next;
}

/**
 * Another reminder of the same tank for the same thing.
 * @param {readonly Reminder[]} reminders
 * @param {Pick<Reminder, 'id' | 'device' | 'activity' | 'name'>} draft
 */
export const clashOf = (reminders, draft) =>
    reminders.find((one) =>
        one.id !== draft.id && !one.endedAt && one.device === draft.device && one.activity === draft.activity &&
        (draft.activity !== "other" || one.name === draft.name)
    ) ?? null;

/**
 * A reminder that is begun.
 * @param {string} id
 * @param {string} device
 * @param {number} now
 * @param {string} zone
 * @returns {Reminder}
 */
export function blank(id, device, now, zone) {
    const startsOn = dateOf(dayAt(now, zone));
    return { id, device, name: "", activity: "other", rhythm: begun("week", startsOn), at: "18:00", zone, startsOn, who: null };
}
