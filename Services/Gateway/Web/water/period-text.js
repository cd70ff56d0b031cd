/** Limits at other times, in words. */

import { rangeText } from "./range-text.js";

/** @typedef {import("../words/format.js").Voice} Voice */
/** @typedef {import("./periods.js").LimitPeriod} LimitPeriod */
/** @typedef {import("./periods.js").Limits} Limits */
/** @typedef {import("./tanks.js").Parameter} Parameter */

/**
 * A period's name: 04:00 to 07:00, 1 November to 15 March.
 * @param {LimitPeriod} period
 * @param {Voice} voice
 */
export function periodName({ from, until, firstDay, lastDay }, { t, format }) {
    const hours = from !== null && until !== null
        ? t("parameter.times_span", { from: format.timeOfDay(minutes(from)), until: format.timeOfDay(minutes(until)) })
        : null;
    const season = firstDay !== null && lastDay !== null ? t("parameter.times_span", { from: dayText(firstDay, format), until: dayText(lastDay, format) }) : null;
    return hours !== null && season !== null ? t("parameter.times_both", { hours, season }) : hours ?? season ?? "";
}

/**
 * What holds now, and until when, in a sentence; empty where nothing changes by the clock.
 * @param {Parameter} parameter
 * @param {Voice} voice
 */
export function heldText(parameter, voice) {
    const { held, periods = [] } = parameter;
    if (!held) return "";
    const { t, format } = voice;
    const time = format.moment(Date.parse(held.until));
    const period = held.period === null ? null : periods[held.period];
    if (!period) return t("parameter.times_plain", { time });
    return t("parameter.times_now", { name: periodName(period, voice), time, limits: limitsText(parameter, period, voice) });
}

/**
 * Both limits of a period.
 * @param {Parameter} parameter
 * @param {Limits} limits
 * @param {Voice} voice
 */
export function limitsText(parameter, { minimum, maximum }, voice) {
    return rangeText(voice, { ...parameter, minimum, maximum });
}

/** @param {string} text */
function minutes(text) {
    const [hour, minute] = text.split(":").map(Number);
    return hour * 60 + minute;
}

/**
 * @param {string} text
 * @param {Voice["format"]} format
 */
function dayText(text, { locale }) {
    const [month, day] = text.split("-").map(Number);
    // A leap year has every day.
    return new Intl.DateTimeFormat(locale, { month: "long", day: "numeric", timeZone: "UTC" }).format(Date.UTC(2024, month - 1, day));
}
