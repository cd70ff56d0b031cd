/** What a person is told regularly: a summary of their water, and a note by which ways show that they work. */

import { daysOf, minutesOf } from "./quiet.js";
import { isUsable } from "./ways.js";

/** @typedef {import("../words/format.js").Voice} Voice */

/** @typedef {'off' | 'daily' | 'weekly'} Rhythm */
/** @typedef {'none' | 'push' | 'all'} WeeklyNote Which ways get the note. */

/**
 * @typedef {object} Choice
 * @property {Rhythm} rhythm
 * @property {string} weekday Of a weekly summary.
 * @property {string} at A time of day, such as 08:00.
 * @property {WeeklyNote} weeklyNote
 */

/** @typedef {Choice & {timeZone: string, nextAt: string | null}} Summary The choice, and when the next summary comes. */

/** @type {readonly Rhythm[]} */
export const rhythms = Object.freeze(["off", "daily", "weekly"]);
/** @type {readonly WeeklyNote[]} */
export const notes = Object.freeze(["none", "push", "all"]);

/**
 * The choice as the service takes it.
 * @param {Summary} summary
 * @returns {Choice}
 */
export const choiceOf = ({ rhythm, weekday, at, weeklyNote }) => ({ rhythm, weekday, at, weeklyNote });

/**
 * Whether a summary can come at all: no call is made for one.
 * @param {readonly (Pick<import("./ways.js").Way, "state"> & {channel: string})[]} ways All of the person's.
 */
export const canCome = (ways) => ways.some((way) => isUsable(way) && way.channel !== "call");

/**
 * The name of a day of the week.
 * @param {string} locale
 * @param {string} day
 */
export const dayText = (locale, day) => daysOf(locale).find((one) => one.day === day)?.name ?? day;

/**
 * When a summary comes, in a few words.
 * @param {Voice} voice
 * @param {Choice} choice
 */
export function rhythmText({ t, format }, { rhythm, weekday, at }) {
    if (rhythm === "off") return t("summary.off");
    return t(`summary.value_${rhythm}`, { day: dayText(format.locale, weekday), time: format.timeOfDay(minutesOf(at) ?? 0) });
}
