/** Days of the calendar, as numbers since 1970-01-01, so that they can be counted and compared. A civil date is a text such as 2027-03-05. */

import { civil, instantOf } from "../words/time.js";

const length = 86_400_000;

/** @param {string} date A civil date, or one with a time behind it. */
export const dayOf = (date) => Math.round(Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / length);

/** @param {number} day */
export const dateOf = (day) => new Date(day * length).toISOString().slice(0, 10);

/**
 * The day on a calendar on the wall.
 * @param {number} time
 * @param {string} zone
 */
export function dayAt(time, zone) {
    const { year, month, day } = civil(time, zone);
    return Math.round(Date.UTC(year, month - 1, day) / length);
}

/** By how much clocks are set back anywhere. */
const setBack = [7_200_000, 3_600_000, 1_800_000];

/**
 * The instant of a day at a time of day, such as 18:00: the first of two where the clock is set back.
 * @param {number} day
 * @param {string} clock
 * @param {string} zone
 */
export function instantAt(day, clock, zone) {
    const [hour, minute] = clock.split(":").map(Number);
    const time = instantOf(day * length + (hour * 60 + minute) * 60_000, zone);
    const isSame = (/** @type {number} */ before) => {
        const shown = civil(time - before, zone);
        return shown.hour === hour && shown.minute === minute && dayAt(time - before, zone) === day;
    };
    return time - (setBack.find(isSame) ?? 0);
}

/** Its place in the week, from 1, Monday. @param {number} day */
export const weekdayOf = (day) => (day + 3) % 7 + 1;

/**
 * Year, month (from 0) and day of the month.
 * @param {number} day
 */
export function partsOf(day) {
    const date = new Date(day * length);
    return { year: date.getUTCFullYear(), month: date.getUTCMonth(), date: date.getUTCDate() };
}

/**
 * The day of a year, a month (from 0, and beyond the year) and a day of the month.
 * @param {number} year
 * @param {number} month
 * @param {number} date
 */
export const dayFrom = (year, month, date) => Math.round(Date.UTC(year, month, date) / length);

/** The format that shows a day as it is, whatever the zone. @param {string} locale @param {Intl.DateTimeFormatOptions} options */
const formatOf = (locale, options) => new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options });

/**
 * @param {number} day
 * @param {string} locale
 * @param {Intl.DateTimeFormatOptions} options
 */
export function dayText(day, locale, options) {
    const text = formatOf(locale, options).format(new Date(day * length));
    return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
}
