/** Calls: people who have put the person into a chain, and which of them wait for consent. */

/** @typedef {import("./chain.js").Agreed} Agreed */

/**
 * @typedef {object} Call A person's wish to call when nobody answers.
 * @property {string} device
 * @property {string} deviceName
 * @property {import("./chain.js").Person} person
 * @property {number} after
 * @property {Agreed} agreed
 */

/**
 * The name under which this device remembers that the person has answered a call, which may have been with no.
 * @param {Pick<Call, "device" | "person">} call
 */
export function askedKey({ device, person }) {
    return `call ${device} ${person.id}`;
}

/**
 * Calls that wait for an answer.
 * @param {readonly Call[]} calls
 * @param {(key: string) => boolean} isAnswered
 */
export function waitingCalls(calls, isAnswered) {
    return calls.filter((call) => call.agreed === "no" && !isAnswered(askedKey(call)));
}
