/**
 * Why something was told, or was not, as the service explains it step by step.
 */

import { day } from "../words/time.js";

/** @typedef {import("./series.js").Period} Period */

/**
 * What happened at a time, or what readings had in common.
 * @typedef {object} Step
 * @property {string} time
 * @property {string} what
 * @property {'low' | 'high' | null} side
 * @property {string} notification
 * @property {string | null} alert The id of the alert that was made.
 * @property {string} text In the person's language.
 */

/** @typedef {{steps: Step[], complete: boolean}} Explanation */

/** The longest stretch that the service explains at once. */
const longest = 7 * day;

/**
 * What to ask for to have a period explained: its last week, where it is longer.
 * @param {Period} period
 * @param {number} now
 * @returns {{from: string, until: string}}
 */
export function asked({ from, to }, now) {
    const until = Math.min(to, now);
    const start = Math.max(Math.min(from, until - 1), until - longest);
    return { from: new Date(start).toISOString(), until: new Date(until).toISOString() };
}

/**
 * The steps in their days, in order. Other than today's, a day is named.
 * @template {{time: string}} T
 * @param {readonly T[]} steps
 * @param {(time: number) => string} nameOf
 * @param {number} now
 * @returns {{name: string, steps: T[]}[]}
 */
export function inDays(steps, nameOf, now) {
    /** @type {{name: string, steps: T[]}[]} */
    const days = [];
    for (const step of steps) {
        const name = nameOf(Date.parse(step.time));
        if (days.at(-1)?.name === name) days[days.length - 1].steps.push(step);
        else days.push({ name, steps: [step] });
    }
    return days.length === 1 && days[0].name === nameOf(now) ? [{ name: "", steps: days[0].steps }] : days;
}
