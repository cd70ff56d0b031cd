/**
 * Numbers, times and durations in the person's language and time zone.
 */

import * as numbers from "./numbers.js";
import { civil, clock, coarse, dayName, exact, hour as oneHour, isSameDay, twoDigits } from "./time.js";

/** @typedef {import("../lang/index.js").Words} Words */
/** @typedef {ReturnType<typeof createFormat>} Format */
/** @typedef {{t: Words, format: Format}} Voice In which something is told: a language's sentences, and the person's numbers and times. */

/** A time of day so near to now is of no other day than people take it for, on both sides of midnight. */
const unmistakable = 6 * oneHour;

/**
 * @param {string} language
 * @param {string} zone
 * @param {Words} t
 */
export function createFormat(language, zone, t) {
    const locale = localeOf(language);
    const padded = t("language.clock").includes("{hour2}");

    /** @param {number} time */
    const clockText = (time) => clock(time, zone, { padded });
    /**
     * Today, or so near that nobody takes it for another day.
     * @param {number} time
     * @param {number} now
     */
    const isNear = (time, now) => Math.abs(now - time) < unmistakable || isSameDay(time, now, zone);
    /**
     * @param {number} hour
     * @param {number} minute
     */
    const placedClock = (hour, minute) => t("language.clock", { count: hour, hour, hour2: twoDigits(hour), minute: twoDigits(minute) });
    /**
     * @param {number} time
     * @param {number} now
     */
    const placed = (time, now) => {
        const { month, day, hour, minute } = civil(time, zone);
        const clock = placedClock(hour, minute);
        return isNear(time, now) ? clock : t("language.moment", { day, month: t(`language.month_${month}`), clock });
    };

    return {
        language,
        locale,
        zone,
        /**
         * @param {number | null | undefined} value
         * @param {number} decimals
         */
        number: (value, decimals) => numbers.number(value, decimals, locale),
        /**
         * @param {number | null | undefined} value
         * @param {number} decimals
         */
        limit: (value, decimals) => numbers.limit(value, decimals, locale),
        /**
         * @param {string} text
         * @param {string} unit
         */
        withUnit: (text, unit) => numbers.withUnit(text, unit, t),
        /** @param {number} time */
        clock: clockText,
        /**
         * A time of every day, whatever the zone.
         * @param {number} minutes Since midnight.
         */
        timeOfDay: (minutes) => clock(minutes * 60_000, "UTC", { padded }),
        /**
         * The same behind a preposition.
         * @param {number} minutes Since midnight.
         */
        placedTimeOfDay: (minutes) => placedClock(Math.floor(minutes / 60), minutes % 60),
        /**
         * The time of day by itself, with the day unless it is today or near.
         * @param {number} time
         * @param {number} [now]
         */
        moment: (time, now = Date.now()) => isNear(time, now) ? clockText(time) : `${dayName(time, zone, locale)}, ${clockText(time)}`,
        /**
         * The same behind a preposition, such as "since", by the language's rule: 03:52, in Spanish "la 1:05" and "las 3:52".
         * @param {number} time
         * @param {number} [now]
         */
        placed: (time, now = Date.now()) => placed(time, now),
        /**
         * When something was, as a part of a sentence: "at 03:52", "on 23 November, 03:52".
         * @param {number} time
         * @param {number} [now]
         */
        at: (time, now = Date.now()) => t(isNear(time, now) ? "language.at" : "language.on", { moment: placed(time, now) }),
        /** @param {number} time */
        date: (time) => new Intl.DateTimeFormat(locale, { timeZone: zone, dateStyle: "long" }).format(new Date(time)),
        /**
         * Today, yesterday, a weekday, or a date.
         * @param {number} time
         * @param {number} [now]
         */
        day(time, now = Date.now()) {
            if (isSameDay(time, now, zone)) return t("time.today");
            if (isSameDay(time, now - 86_400_000, zone)) return t("time.yesterday");
            const isNear = now - time < 6 * 86_400_000;
            /** @type {Intl.DateTimeFormatOptions} */
            const options = isNear ? { weekday: "long" } : { day: "numeric", month: "long" };
            const text = new Intl.DateTimeFormat(locale, { timeZone: zone, ...options }).format(new Date(time));
            return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
        },
        /**
         * How long something lasted: 1 h 56 min.
         * @param {number} span In milliseconds.
         */
        duration: (span) => exact(span).map(({ count, unit }) => t(`time.${unit}`, { count })).join(t("time.between")),
        /**
         * The same in its greatest unit.
         * @param {number} span
         */
        brief(span) {
            const { count, unit } = coarse(span);
            return t(`time.${unit}`, { count });
        },
        /**
         * How long ago something was: 8 s ago.
         * @param {number} time
         * @param {number} [now]
         */
        ago(time, now = Date.now()) {
            const { count, unit } = coarse(now - time);
            return t("time.ago", { span: t(`time.${unit}`, { count }) });
        },
    };
}

/**
 * The region of the browser's language decides how numbers look, where it is the same language: 1,5 in Spain, 1.5 in
 * Mexico.
 * @param {string} language
 */
function localeOf(language) {
    const own = globalThis.navigator?.languages ?? [];
    return own.find((locale) => locale === language || locale.startsWith(`${language}-`)) ?? language;
}
