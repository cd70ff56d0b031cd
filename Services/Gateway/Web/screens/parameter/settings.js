/**
 * The settings of a parameter's alarms beside its limits, a row each: the field, what it may be, and how that is said. The form shows
 * them, and what is asked of the last month depends on them.
 */

import { changesOf, valuesOf } from "../../water/limits.js";

/** @typedef {import("../../water/tanks.js").Parameter} Parameter */
/** @typedef {import("../../words/format.js").Voice} Voice */
/** @typedef {number | boolean | null} Value */

/**
 * One of a few values.
 * @typedef {object} Choice
 * @property {'delaySeconds' | 'tellsUnstable' | 'changePerHour' | 'aheadMinutes'} field As the service calls it.
 * @property {string} name The key of its name's words.
 * @property {string} lead The key of the words above the choice.
 * @property {(parameter: Parameter) => Value} valueOf
 * @property {(parameter: Parameter) => readonly Value[]} values Those that are offered; none where it cannot be set.
 * @property {(voice: Voice, value: Value, parameter: Parameter) => string} text
 * @property {(voice: Voice, value: Value) => string} [detail] Below a value in the choice.
 */

/**
 * A limit beyond another one, chosen from a wheel.
 * @typedef {object} Wheel
 * @property {'criticalMinimum' | 'criticalMaximum'} field
 * @property {string} name
 * @property {(parameter: Parameter) => boolean} isOffered
 */

/** For how long a value must have been out of range before it alarms, as people choose it, in seconds. */
const delays = [0, 60, 300, 600, 1800, 3600, 7200, 21_600, 43_200, 86_400];

/** How long before a limit is reached it is told, as people choose it, in minutes. */
const aheads = [15, 30, 60, 120, 180, 360];

/** @type {readonly (Choice | Wheel)[]} */
export const settings = [
    {
        field: "delaySeconds",
        name: "parameter.delay",
        lead: "parameter.delay_lead",
        valueOf: ({ delaySeconds }) => delaySeconds ?? 0,
        values: ({ delaySeconds }) => withPresent(delays, delaySeconds ?? 0),
        text: ({ t, format }, value) =>
            value === 0 ? t("parameter.delay_none") : t("parameter.delay_after", { span: format.duration(Number(value) * 1000) }),
    },
    {
        field: "tellsUnstable",
        name: "parameter.unstable",
        lead: "parameter.unstable_lead",
        valueOf: ({ tellsUnstable }) => tellsUnstable ?? false,
        values: () => [false, true],
        text: ({ t }, value) => t(value ? "parameter.unstable_once" : "parameter.unstable_each"),
        detail: ({ t }, value) => t(value ? "parameter.unstable_onceDetail" : "parameter.unstable_eachDetail"),
    },
    // Without the limit that it lies beyond there is none.
    {
        field: "criticalMinimum",
        name: "parameter.criticalMinimum",
        isOffered: (parameter) => parameter.minimum !== null && valuesOf(parameter, "criticalMinimum").length > 0,
    },
    {
        field: "criticalMaximum",
        name: "parameter.criticalMaximum",
        isOffered: (parameter) => parameter.maximum !== null && valuesOf(parameter, "criticalMaximum").length > 0,
    },
    {
        field: "changePerHour",
        name: "parameter.change",
        lead: "parameter.change_lead",
        valueOf: ({ changePerHour }) => changePerHour ?? null,
        values: (parameter) => parameter.change ? [null, ...changesOf(parameter)] : [],
        text: ({ t, format }, value, { change }) =>
            value === null || !change
                ? t("parameter.change_none")
                : t("parameter.change_inAnHour", { value: format.withUnit(format.number(Number(value), change.decimals), change.unit) }),
    },
    {
        field: "aheadMinutes",
        name: "parameter.ahead",
        lead: "parameter.ahead_lead",
        valueOf: ({ aheadMinutes }) => aheadMinutes ?? null,
        // A service of before does not know it; without limits there is nothing to tell ahead.
        values: ({ aheadMinutes, minimum, maximum }) =>
            aheadMinutes === undefined || aheadMinutes === null && minimum === null && maximum === null ? [] : [null, ...withPresent(aheads, aheadMinutes)],
        text: ({ t, format }, value) =>
            value === null ? t("parameter.ahead_none") : t("parameter.ahead_before", { span: format.duration(Number(value) * 60_000) }),
    },
];

/**
 * The choices, and the one that holds.
 * @param {readonly number[]} values
 * @param {number | null} present
 */
function withPresent(values, present) {
    return present === null ? values : [...new Set([...values, present])].sort((one, other) => one - other);
}
