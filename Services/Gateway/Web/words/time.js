/**
 * Times of day and durations, in the person's time zone. Times are milliseconds since 1970.
 */

const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/**
 * @param {string} locale
 * @param {Intl.DateTimeFormatOptions} options
 */
function formatOf(locale, options) {
    const key = locale + JSON.stringify(options);
    let format = formats.get(key);
    if (!format) {
        format = new Intl.DateTimeFormat(locale, options);
        formats.set(key, format);
    }
    return format;
}

/**
 * What a clock and a calendar on the wall show.
 * @param {number} time
 * @param {string} zone
 */
export function civil(time, zone) {
    const parts = formatOf("en-u-ca-iso8601", {
        timeZone: zone,
        hourCycle: "h23",
        year: "numeric",
        month: "2-digit",
        day: "2-digit",
        hour: "2-digit",
        minute: "2-digit",
        second: "2-digit",
    }).formatToParts(new Date(time));
    /** @param {string} type */
    const part = (type) => Number(parts.find((found) => found.type === type)?.value);
    return {
        year: part("year"),
        month: part("month"),
        day: part("day"),
        hour: part("hour") % 24,
        minute: part("minute"),
        second: part("second"),
    };
}

/**
 * How far a zone is ahead of UTC at an instant, in milliseconds.
 * @param {number} time
 * @param {string} zone
 */
function offsetOf(time, zone) {
    const { year, month, day, hour, minute, second } = civil(time, zone);
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000;
}

/**
 * The instant at which the wall shows what UTC shows at `wall`. In an hour that is skipped it is an hour later.
 * @param {number} wall
 * @param {string} zone
 */
export function instantOf(wall, zone) {
    const guess = wall - offsetOf(wall, zone);
    const time = wall - offsetOf(guess, zone);
    return time + offsetOf(time, zone) === wall ? time : Math.max(guess, time);
}

/**
 * The time of day on a 24-hour clock. On axes it is always 03:52, elsewhere as the language writes it: 3:52 in Japanese and Spanish.
 * @param {number} time
 * @param {string} zone
 * @param {{padded?: boolean}} [options]
 */
export function clock(time, zone, { padded = true } = {}) {
    const { hour, minute } = civil(time, zone);
    return `${padded ? twoDigits(hour) : hour}:${twoDigits(minute)}`;
}

/** @param {number} number */
export function twoDigits(number) {
    return String(number).padStart(2, "0");
}

/**
 * @param {number} one
 * @param {number} other
 * @param {string} zone
 */
export function isSameDay(one, other, zone) {
    const [a, b] = [civil(one, zone), civil(other, zone)];
    return a.year === b.year && a.month === b.month && a.day === b.day;
}

/**
 * A day by its date: 2026-11-24.
 * @param {number} time
 * @param {string} zone
 */
export function isoDay(time, zone) {
    const { year, month, day } = civil(time, zone);
    return `${year}-${twoDigits(month)}-${twoDigits(day)}`;
}

/**
 * A day as a word or two: 23 Nov, 11月23日, 23 nov.
 * @param {number} time
 * @param {string} zone
 * @param {string} locale
 */
export function dayName(time, zone, locale) {
    return formatOf(locale, { timeZone: zone, day: "numeric", month: "short" }).format(new Date(time));
}

/** @typedef {'second' | 'minute' | 'hour' | 'day'} TimeUnit */

/**
 * A span of time in its greatest unit, rounded down: 59 s, 26 min, 3 h, 2 d.
 * @param {number} span In milliseconds.
 * @returns {{count: number, unit: TimeUnit}}
 */
export function coarse(span) {
    const positive = Math.max(0, span);
    if (positive < minute) return { count: Math.floor(positive / second), unit: "second" };
    if (positive < hour) return { count: Math.floor(positive / minute), unit: "minute" };
    if (positive < 2 * day) return { count: Math.floor(positive / hour), unit: "hour" };
    return { count: Math.floor(positive / day), unit: "day" };
}

/**
 * A span of time in two units at most: 1 h 56 min, 2 d 3 h, 26 min, 40 s.
 * @param {number} span In milliseconds.
 * @returns {{count: number, unit: TimeUnit}[]}
 */
export function exact(span) {
    const whole = Math.max(0, Math.floor(span / second)) * second;
    if (whole < minute) return [{ count: whole / second, unit: "second" }];
    /** @type {{count: number, unit: TimeUnit}[]} */
    const parts = [
        { count: Math.floor(whole / day), unit: "day" },
        { count: Math.floor(whole / hour) % 24, unit: "hour" },
        { count: Math.floor(whole / minute) % 60, unit: "minute" },
    ];
    const first = parts.findIndex((part) => part.count > 0);
    return parts.slice(first, first + 2).filter((part) => part.count > 0);
}
