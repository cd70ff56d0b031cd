/** Calls: people who have put the person into a chain, and which of them wait for consent. */

/** @typedef {import("./chain.js").Agreed} Agreed */

/**
 * @typedef {object} Call A person's wish that this one is alerted when nobody answers.
 * @property {string} device
 * @property {string} deviceName
 * @property {import("./chain.js").Person} person
 * @property {number} after
 * @property {Agreed | null} agreed null until the person has answered.
 */

/**
 * Calls that wait for an answer.
 * @param {readonly Call[]} calls
 */
export function waitingCalls(calls) {
    return calls.filter(({ agreed }) => agreed === null);
}
