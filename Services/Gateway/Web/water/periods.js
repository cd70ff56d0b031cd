/**
 * Limits of a parameter at other times: of a time of day, a season, or both. Which hold when, the service alone says.
 */

/** @typedef {import("./tanks.js").Parameter} Parameter */

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

/** Limits of a stretch of time, in milliseconds. @typedef {Limits & {from: number, to: number, period: number | null}} LimitStep */

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
 * The service's answer about limits over time.
 * @param {readonly {from: string, until: string, period: number | null, minimum: number | null, maximum: number | null}[]} rows
 * @returns {LimitStep[]}
 */
export function stepsOf(rows) {
    return rows.map(({ from, until, period, minimum, maximum }) => ({ from: Date.parse(from), to: Date.parse(until), period, minimum, maximum }));
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
