/**
 * Limits of a parameter at other times: of a time of day, a season, or both. Which hold when, the service alone says; here is how they are
 * told. Without words of its own.
 */

import { rangeText } from "./range-text.js";

/** @typedef {import("./tanks.js").Parameter} Parameter */
/** @typedef {import("../words/format.js").Voice} Voice */

/**
 * Limits of a time.
 * @typedef {object} Limits
 * @property {number | null} minimum
 * @property {number | null} maximum
 * @property {number | null} [criticalMinimum]
 * @property {number | null} [criticalMaximum]
 */

/**
 * @typedef {Limits & {from: string | null, until: string | null, firstDay: string | null, lastDay: string | null}} LimitPeriod
 *     Times of day as 04:00, days of any year as 11-01; null: all day, all year.
 */

/** The limits that hold just now. @typedef {Limits & {period: number | null, until: string}} HeldLimits */

/** Limits of a stretch of time, in milliseconds. @typedef {Limits & {from: number, to: number}} LimitStep */

/** The most that a parameter may have. */
export const mostPeriods = 4;

/**
 * The parameter with the limits that hold just now.
 * @template {Parameter} P
 * @param {P} parameter
 * @returns {P}
 */
export function heldOf(parameter) {
    const { held } = parameter;
    if (!held) return parameter;
    const { minimum, maximum, criticalMinimum = null, criticalMaximum = null } = held;
    return { ...parameter, minimum, maximum, criticalMinimum, criticalMaximum };
}

/**
 * When the first of some parameters may have other limits; null where none change by the clock.
 * @param {Iterable<Parameter>} parameters
 */
export function nextTurn(parameters) {
    let next = Number.POSITIVE_INFINITY;
    for (const { held } of parameters) if (held) next = Math.min(next, Date.parse(held.until));
    return Number.isFinite(next) ? next : null;
}

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

/**
 * The service's answer about limits over time.
 * @param {readonly {from: string, until: string, minimum: number | null, maximum: number | null}[]} rows
 * @returns {LimitStep[]}
 */
export function stepsOf(rows) {
    return rows.map(({ from, until, minimum, maximum }) => ({ from: Date.parse(from), to: Date.parse(until), minimum, maximum }));
}

/**
 * A range with the limits that held at a time.
 * @template {{minimum: number | null, maximum: number | null}} R
 * @param {{range: R, steps?: readonly LimitStep[]}} known
 * @param {number} time
 * @returns {R}
 */
export function rangeAt({ range, steps = [] }, time) {
    const step = steps.find(({ to }) => time < to) ?? steps.at(-1);
    return step ? { ...range, minimum: step.minimum, maximum: step.maximum } : range;
}

/**
 * The least and the greatest of some limits, which a graph makes room for.
 * @param {{minimum: number | null, maximum: number | null}} range
 * @param {readonly LimitStep[]} steps
 */
export function outermost(range, steps) {
    /** @param {(number | null)[]} limits @param {(...values: number[]) => number} of */
    const outer = (limits, of) => {
        const known = limits.filter((limit) => limit !== null);
        return known.length > 0 ? of(...known) : null;
    };
    return {
        minimum: outer([range.minimum, ...steps.map(({ minimum }) => minimum)], Math.min),
        maximum: outer([range.maximum, ...steps.map(({ maximum }) => maximum)], Math.max),
    };
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
