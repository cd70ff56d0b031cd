/**
 * Numbers and times in a person's language, region and time zone.
 */

import { limit, number, symbolOf, withUnit } from "./numbers.js";
import { clock, coarse, dayName, exact, isSameDay, monthName } from "./time.js";

/** @typedef {(key: string, values?: Record<string, string | number>) => string} Words */
/** @typedef {ReturnType<typeof createFormat>} Format */

/**
 * @param {object} person
 * @param {string} person.language en, ja or es: of sentences.
 * @param {string} person.locale The whole locale, whose region tells how numbers look.
 * @param {string} person.zone An IANA time zone.
 * @param {Words} t
 */
export function createFormat({ language, locale, zone }, t) {
    /** @param {{count: number, unit: import("./time.js").TimeUnit}} part */
    const span = ({ count, unit }) => t(`span.${unit}`, { count });

    return {
        language,
        locale,
        zone,
        /**
         * @param {number | null | undefined} value
         * @param {number} decimals
         */
        number: (value, decimals) => number(value, decimals, locale),
        /**
         * @param {number | null | undefined} value
         * @param {number} decimals
         */
        limit: (value, decimals) => limit(value, decimals, locale),
        /**
         * @param {number | null | undefined} value
         * @param {number} decimals
         * @param {string} unit
         */
        value: (value, decimals, unit) => withUnit(number(value, decimals, locale), unit, locale),
        symbol: symbolOf,
        /**
         * The time of day in a sentence.
         * @param {number} time
         */
        clock: (time) => clock(time, zone, { language }),
        /**
         * The time of day on an axis or in a column: always 03:52.
         * @param {number} time
         */
        axisClock: (time) => clock(time, zone, { padded: true }),
        /**
         * The time of day, with the day when it is another.
         * @param {number} time
         * @param {number} now
         */
        moment: (time, now) =>
            isSameDay(time, now, zone)
                ? clock(time, zone, { language })
                : t("span.moment", { day: dayName(time, zone, locale), time: clock(time, zone, { language }) }),
        /** @param {number} time */
        day: (time) => dayName(time, zone, locale),
        /** @param {number} time */
        month: (time) => monthName(time, zone, locale),
        /**
         * A span in its greatest unit: 26 min.
         * @param {number} length
         */
        coarse: (length) => span(coarse(length)),
        /**
         * A span in two units at most: 1 h 56 min.
         * @param {number} length
         */
        exact: (length) => exact(length).map(span).join(t("span.join")),
        /**
         * How long ago: 8 s ago.
         * @param {number} length
         */
        ago: (length) => t("span.ago", { span: span(coarse(length)) }),
    };
}
