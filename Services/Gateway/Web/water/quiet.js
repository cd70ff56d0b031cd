/**
 * Quiet hours: at which times of day a person's alerts wait, and what is said of them. A time of day is a count of minutes since midnight.
 */

import { twoDigits } from "../words/time.js";

/** @typedef {import("./tanks.js").Parameter} Parameter */
/** @typedef {import("../words/format.js").Voice} Voice */
/** @typedef {import("../words/format.js").Format} Format */

/**
 * @typedef {object} Hours
 * @property {string} from A time of day, such as 22:30.
 * @property {string} until
 * @property {readonly string[]} days Those on which they begin: the night of Monday to Tuesday is Monday's.
 * @property {boolean} silenceRings Whether the silence of a whole device rings anyway.
 */

/**
 * @typedef {object} Quiet
 * @property {Hours | null} hours null: none are set.
 * @property {string} timeZone In which they are meant.
 * @property {string | null} quietUntil While they are on.
 * @property {number} waiting How many alerts are held back now, also beyond what a person is told in an hour.
 * @property {string | null} waitingUntil When they are told.
 */

/** @typedef {'from' | 'until'} End */
/** @typedef {Record<End, number>} Span Begins and ends at a time of day, and may go over midnight. */

const day = 24 * 60;
/** The steps of a handle, in minutes. */
export const step = 15;
/** The days of a week as the service calls them, in the order of ISO 8601. */
const week = Object.freeze(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]);
/** A Monday. */
const monday = Date.UTC(2024, 0, 1);
/** Some regions whose week begins with Sunday, for browsers that know nothing of weeks. */
const sundayFirst = new Set(["CA", "CO", "JP", "MX", "PE", "US", "VE", "ZA"]);

/** What quiet hours are at first. @type {Hours} */
export const usual = Object.freeze({ from: "22:30", until: "07:00", days: week, silenceRings: true });

/** @param {number} minutes Also before or after the day. */
const within = (minutes) => ((minutes % day) + day) % day;

/**
 * @param {string} text
 * @returns {number | null} null of what is no time of day.
 */
export function minutesOf(text) {
    const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)/.exec(text) ?? [];
    return hour === undefined ? null : Number(hour) * 60 + Number(minute);
}

/** @param {number} minutes */
export function timeOf(minutes) {
    return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/**
 * @param {Hours} hours
 * @returns {Span}
 */
export function spanOf({ from, until }) {
    return { from: minutesOf(from) ?? 0, until: minutesOf(until) ?? 0 };
}

/**
 * How long quiet hours are, in minutes; over midnight too.
 * @param {Span} span
 */
export function lengthOf({ from, until }) {
    return within(until - from);
}

/**
 * The next time of day that a handle can stand at.
 * @param {number} minutes
 * @param {number} count How many steps; backwards where it is negative.
 */
export function stepped(minutes, count) {
    const rest = minutes % step;
    // From between two steps the nearer of them, in that direction, is one step.
    return within(minutes - rest + step * (count < 0 && rest > 0 ? count + 1 : count));
}

/**
 * The step that is nearest to a time of day.
 * @param {number} minutes
 */
export function snapped(minutes) {
    return within(Math.round(minutes / step) * step);
}

/**
 * The span with one end at another time. An end that comes to the other one stays where it was: it never passes it.
 * @param {Span} span
 * @param {End} end
 * @param {number} minutes
 * @returns {Span}
 */
export function turned(span, end, minutes) {
    // The shorter way round.
    const way = within(minutes - span[end] + day / 2) - day / 2;
    const length = lengthOf(span) + (end === "until" ? way : -way);
    return length <= 0 || length >= day ? span : { ...span, [end]: minutes };
}

/**
 * The days with one of them taken in or out, in the week's order.
 * @param {readonly string[]} days
 * @param {string} toggled
 * @returns {string[] | null} null where none would be left.
 */
export function daysWith(days, toggled) {
    const next = week.filter((name) => name === toggled ? !days.includes(name) : days.includes(name));
    return next.length === 0 ? null : next;
}

/**
 * The days of a week in a region's order, with their names.
 * @param {string} locale
 * @returns {{day: string, letter: string, short: string, name: string}[]}
 */
export function daysOf(locale) {
    const first = firstDay(new Intl.Locale(locale));
    const [letter, short, name] = (/** @type {const} */ (["narrow", "short", "long"])).map((weekday) => new Intl.DateTimeFormat(locale, { weekday, timeZone: "UTC" }));
    return week.map((_, index) => {
        const place = (index + first - 1) % 7;
        const date = new Date(monday + place * day * 60_000);
        return { day: week[place], letter: letter.format(date), short: short.format(date), name: name.format(date) };
    });
}

/**
 * @param {Intl.Locale} locale
 * @returns {number} 1 is Monday.
 */
export function firstDay(locale) {
    /** @type {any} */
    const known = locale;
    const found = (known.getWeekInfo?.() ?? known.weekInfo)?.firstDay;
    return found ?? (sundayFirst.has(locale.maximize().region ?? "") ? 7 : 1);
}

/**
 * The city of a time zone: Europe/Vienna is in Vienna.
 * @param {string} zone
 */
export function cityOf(zone) {
    return zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
}

/**
 * From when until when: 22:30–07:00.
 * @param {Format} format
 * @param {Span} span
 */
export function spanText(format, { from, until }) {
    return `${format.timeOfDay(from)}–${format.timeOfDay(until)}`;
}

/**
 * How many alerts wait, and until when; empty where none does, or their time has passed.
 * @param {Voice} voice
 * @param {Quiet | null} quiet
 * @param {number} now
 */
export function waitingText({ t, format }, quiet, now) {
    if (quiet === null || quiet.waiting === 0) return "";
    const { waiting, waitingUntil } = quiet;
    if (waitingUntil === null) return t("quiet.waitingNow", { count: waiting });
    const until = Date.parse(waitingUntil);
    return until <= now ? "" : t("quiet.waiting", { count: waiting, time: format.placed(until, now) });
}

/**
 * How it is now: whether quiet hours are on, and what waits.
 * @param {Voice} voice
 * @param {Quiet} quiet
 * @param {number} now
 */
export function standingText(voice, quiet, now) {
    const { t, format } = voice;
    const until = Date.parse(quiet.quietUntil ?? "");
    if (!(now < until)) return waitingText(voice, quiet, now);
    const time = format.placed(until, now);
    return quiet.waiting === 0 ? t("quiet.on", { time }) : t("quiet.on_waiting", { count: quiet.waiting, time });
}

/**
 * Whether time alone has changed what was read.
 * @param {Quiet} quiet
 * @param {number} now
 */
export function isPast({ quietUntil, waitingUntil }, now) {
    return [quietUntil, waitingUntil].some((time) => time !== null && Date.parse(time) <= now);
}

/** @typedef {{parameter: Parameter, minimum: number | null, maximum: number | null}} Critical A parameter with a critical limit. */

/**
 * The parameters that ring anyway, by device; devices without critical limits are left out.
 * @template {{id: string}} Device
 * @param {readonly Device[]} devices
 * @param {(device: string) => readonly Parameter[]} listOf
 * @returns {{device: Device, criticals: Critical[]}[]}
 */
export function ringing(devices, listOf) {
    return devices.map((device) => ({
        device,
        criticals: listOf(device.id)
            .map((parameter) => ({ parameter, minimum: parameter.criticalMinimum ?? null, maximum: parameter.criticalMaximum ?? null }))
            .filter(({ minimum, maximum }) => minimum !== null || maximum !== null),
    })).filter(({ criticals }) => criticals.length > 0);
}
