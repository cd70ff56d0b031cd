/** Who has put the person into a chain, and whether the person has said something to that. */

/** @typedef {import("./chain.js").Agreed} Agreed */

/**
 * @typedef {object} Call Somebody who has put the person into a chain.
 * @property {string} device
 * @property {string} deviceName
 * @property {import("./chain.js").Person} person
 * @property {number} after
 * @property {Agreed} agreed
 */

/**
 * By what name it is remembered that the person has answered a call's question, which may have been with no.
 * @param {Pick<Call, "device" | "person">} call
 */
export function askedKey({ device, person }) {
    return `call ${device} ${person.id}`;
}

/**
 * Those who wait for an answer.
 * @param {readonly Call[]} calls
 * @param {(key: string) => boolean} isAnswered
 */
export function waitingCalls(calls, isAnswered) {
    return calls.filter((call) => call.agreed === "no" && !isAnswered(askedKey(call)));
}
