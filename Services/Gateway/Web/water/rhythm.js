/** How often something is to be done: the part of RFC 5545 that keepers need, and so many days after it was done. */

import { dateOf, dayFrom, dayOf, partsOf, weekdayOf } from "./civil.js";
import { daysOf as weekOf } from "./quiet.js";

/** @typedef {import("../words/format.js").Voice} Voice */

/**
 * A rhythm as the service has it; each may end (`until` a date, or after `count` times).
 * @typedef {({every: 'day', interval: number} | {every: 'week', interval: number, days: readonly string[]}
 *     | {every: 'month', interval: number, day: number} | {every: 'month', interval: number, weekday: string, which: number}
 *     | {every: 'year', interval: number} | {afterDone: number}) & {until?: string, count?: number}} Rhythm
 */

/** The days of a week as the service calls them. */
export const week = Object.freeze(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]);
/** Nothing is looked for further ahead, in days. */
const horizon = 4_100;

/** Months since the year 0. @param {number} day */
function monthNumber(day) {
    const { year, month } = partsOf(day);
    return year * 12 + month;
}

/** @param {number} day */
function lastOfMonth(day) {
    const { year, month } = partsOf(day);
    return partsOf(dayFrom(year, month + 1, 0)).date;
}

/**
 * Whether a day is one of a rhythm's, were its interval one.
 * @param {Rhythm} rhythm
 * @param {number} day
 * @param {number} start
 */
function fits(rhythm, day, start) {
    if ("afterDone" in rhythm || rhythm.every === "day") return true;
    const name = week[weekdayOf(day) - 1];
    const { month, date } = partsOf(day);
    if (rhythm.every === "week") return rhythm.days.includes(name);
    if (rhythm.every === "year") return month === partsOf(start).month && date === partsOf(start).date;
    const last = lastOfMonth(day);
    if ("weekday" in rhythm) {
        if (name !== rhythm.weekday) return false;
        return rhythm.which === -1 ? date + 7 > last : Math.ceil(date / 7) === rhythm.which;
    }
    return date === (rhythm.day === -1 ? last : rhythm.day);
}

/**
 * How many of its periods lie between two days.
 * @param {Rhythm} rhythm
 * @param {number} first
 * @param {number} day
 */
function periods(rhythm, first, day) {
    if ("afterDone" in rhythm || rhythm.every === "day") return day - first;
    if (rhythm.every === "week") return Math.floor((day - (first - weekdayOf(first) + 1)) / 7);
    return rhythm.every === "month" ? monthNumber(day) - monthNumber(first) : partsOf(day).year - partsOf(first).year;
}

/**
 * The first days of a rhythm, as dates. Of what is counted from when it was done, one is known.
 * @param {Rhythm} rhythm
 * @param {string} startsOn
 * @param {number} count
 * @param {string} [from] None before it is wanted.
 */
export function datesOf(rhythm, startsOn, count, from = startsOn) {
    const start = dayOf(startsOn);
    if ("afterDone" in rhythm) return [startsOn];
    let first = start;
    while (first < start + horizon && !fits(rhythm, first, start)) first += 1;
    const end = rhythm.until === undefined ? Infinity : dayOf(rhythm.until);
    const least = dayOf(from);
    const found = [];
    let past = 0;
    for (let day = first; day <= Math.min(end, Math.max(first, least) + horizon) && found.length < count; day += 1) {
        if (!fits(rhythm, day, first) || periods(rhythm, first, day) % rhythm.interval !== 0) continue;
        past += 1;
        if (past > (rhythm.count ?? Infinity)) break;
        if (day >= least) found.push(dateOf(day));
    }
    return found;
}

/**
 * A rhythm in a few words.
 * @param {Voice} voice
 * @param {Rhythm} rhythm
 */
export function rhythmText({ t, format }, rhythm) {
    if ("afterDone" in rhythm) return t("care.rhythm_afterDone", { count: rhythm.afterDone });
    const { every, interval } = rhythm;
    if (every === "week" && rhythm.days.length < 7) {
        const names = weekOf(format.locale).filter(({ day }) => rhythm.days.includes(day));
        const days = names.length === 1 ? names[0].name : names.map(({ short }) => short).join(" · ");
        if (interval > 1) return t("care.rhythm_weeksOn", { count: interval, days });
        return names.length === 1 ? t("care.rhythm_weekday", { day: days }) : days;
    }
    if (every === "month") {
        const on = "weekday" in rhythm
            ? t(rhythm.which === -1 ? "care.on_lastWeekday" : "care.on_weekday", {
                which: rhythm.which,
                day: weekOf(format.locale).find(({ day }) => day === rhythm.weekday)?.name ?? rhythm.weekday,
            })
            : rhythm.day === -1
            ? t("care.on_last")
            : t("care.on_day", { day: rhythm.day });
        return t("care.rhythm_month", { count: interval, on });
    }
    const unit = every === "week" && interval === 1 ? "day" : every;
    return t(`care.rhythm_${unit}`, { count: interval });
}
