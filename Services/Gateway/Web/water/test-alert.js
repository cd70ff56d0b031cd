/**
 * A test to all ways at once: what became of it on each of them.
 */

/** @typedef {{outcome: string, status: number | null}} Attempt */
/** @typedef {{endpoint: number, host: string | null, state: string, endedAt: string | null, arrivedAt?: string | null, attempts: readonly Attempt[]}} Delivery */
/** @typedef {{state: string, decidedAt: string, deliveries: readonly Delivery[]}} TestAlert */
/** @typedef {'arrived' | 'accepted' | 'refused' | 'silent' | 'unsent' | 'pending'} Outcome refused: with a status; silent: without an answer. */

/**
 * @typedef {object} Line
 * @property {number} endpoint
 * @property {string | null} host
 * @property {Outcome} outcome
 * @property {number | null} after In milliseconds, of what arrived or was accepted.
 * @property {number | null} status What the other side answered, where it refused.
 */

/** @type {readonly Outcome[]} */
const order = ["arrived", "accepted", "refused", "silent", "unsent", "pending"];

/** A browser tells within this time that a message has arrived, if it does. */
const echo = 15_000;

/**
 * A line for each way: what arrived before what was accepted, then what was not, each by its delay.
 * @param {TestAlert} alert
 * @returns {Line[]}
 */
export function linesOf(alert) {
    const lines = alert.deliveries.map((delivery) => lineOf(alert, delivery));
    return lines.sort((one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome) || (one.after ?? 0) - (other.after ?? 0));
}

/**
 * @param {TestAlert} alert
 * @param {Delivery} delivery
 * @returns {Line}
 */
export function lineOf({ decidedAt }, { endpoint, host, state, endedAt, arrivedAt, attempts }) {
    const about = { endpoint, host, after: null, status: null };
    const span = (/** @type {string} */ time) => Math.max(0, Date.parse(time) - Date.parse(decidedAt));
    if (arrivedAt) return { ...about, outcome: "arrived", after: span(arrivedAt) };
    if (state === "accepted") return { ...about, outcome: "accepted", after: endedAt ? span(endedAt) : null };
    // How it was given up says nothing of the other side.
    const last = attempts.findLast(({ outcome }) => outcome !== "refused");
    if (last) return { ...about, outcome: last.status === null ? "silent" : "refused", status: last.status };
    return { ...about, outcome: state === "pending" ? "pending" : "unsent" };
}

/** @param {Pick<Line, "outcome">} line */
export const isTaken = ({ outcome }) => outcome === "arrived" || outcome === "accepted";

/**
 * Whether nothing more is to be told soon: what was refused is tried again, which may take half an hour, and is told as it is.
 * @param {TestAlert} alert
 * @param {ReadonlySet<number>} browsers Those of the endpoints that tell by themselves that a message has arrived.
 * @param {number} now
 */
export function isTold(alert, browsers, now) {
    if (alert.state === "decided") return false;
    return linesOf(alert).every(({ endpoint, outcome }) =>
        outcome === "accepted" ? !browsers.has(endpoint) || now - Date.parse(alert.decidedAt) > echo : outcome !== "pending"
    );
}
