/**
 * Ways to reach a person, judged by what is known of them: that a message arrived, that a server took it, or that it was refused.
 */

/**
 * An endpoint, as far as it is judged.
 * @typedef {object} Way
 * @property {'active' | 'failing' | 'paused' | 'gone'} state
 * @property {string | null} lastAcceptedAt
 * @property {string | null} [lastArrivedAt] As the browser itself said.
 * @property {number | null} lastStatus
 * @property {string | null} [unconfirmedSince] Since when its notes are taken and not confirmed any more; a service of before says nothing of it.
 */

/** @typedef {'arrived' | 'accepted' | 'untested' | 'refused' | 'silent' | 'mute' | 'paused' | 'gone'} Standing */

/**
 * What is known of a way. The last proof of a phone is its own word, unless a later message brought none.
 * @param {Way} way
 * @returns {Standing}
 */
export function standingOf({ state, lastAcceptedAt, lastArrivedAt, lastStatus, unconfirmedSince }) {
    if (state === "gone" || state === "paused") return state;
    if (state === "failing") return lastStatus === null ? "silent" : "refused";
    if (unconfirmedSince) return "mute";
    if (lastArrivedAt && Date.parse(lastArrivedAt) >= Date.parse(lastAcceptedAt ?? lastArrivedAt)) return "arrived";
    return lastAcceptedAt ? "accepted" : "untested";
}

/** Whether nothing is known to arrive there any more. @param {Pick<Way, "state" | "unconfirmedSince">} way */
export const isBroken = ({ state, unconfirmedSince }) => state === "failing" || state === "gone" || isMute({ state, unconfirmedSince });

/** Whether messages are taken there and not confirmed any more. @param {Pick<Way, "state" | "unconfirmedSince">} way */
const isMute = ({ state, unconfirmedSince }) => state === "active" && Boolean(unconfirmedSince);

/** @param {Pick<Way, "state">} way Signed out or gone, it gets nothing at all. */
export const isUsable = ({ state }) => state === "active" || state === "failing";

/**
 * none: there is no way; nothing: none of them works; broken: some do; untested: none has taken a message yet; fine: all that are in use work,
 * of which some may not be tested yet.
 * @template {Way} Own
 * @typedef {object} Judgement
 * @property {'none' | 'nothing' | 'broken' | 'untested' | 'fine'} kind
 * @property {readonly Own[]} broken
 * @property {number} working Ways that are in use and not broken.
 * @property {number} proven Those of them that have taken a message.
 */

/**
 * @template {Way} Own
 * @param {readonly Own[]} ways All of the person's.
 * @returns {Judgement<Own>}
 */
export function judge(ways) {
    const broken = ways.filter(isBroken);
    const active = ways.filter((way) => way.state === "active" && !isBroken(way));
    const proven = active.filter((way) => standingOf(way) !== "untested").length;
    const known = { broken, working: active.length, proven };
    if (ways.length === 0) return { kind: "none", ...known };
    if (active.length === 0) return { kind: "nothing", ...known };
    if (broken.length > 0) return { kind: "broken", ...known };
    return { kind: proven === 0 ? "untested" : "fine", ...known };
}

/**
 * What a status of HTTP means to a person.
 * @param {number} status
 * @returns {'right' | 'missing' | 'busy' | 'moved' | 'fault' | 'other'}
 */
export function meaningOf(status) {
    if (status === 401 || status === 403 || status === 407) return "right";
    if (status === 404 || status === 405) return "missing";
    if (status === 429) return "busy";
    if (status >= 300 && status < 400) return "moved";
    return status >= 500 && status < 600 ? "fault" : "other";
}

/** @typedef {{begin: string, taken: number, untaken: number}} Period */

/**
 * How a stretch of time is drawn: filled where everything was taken, outlined where something was not, and both where it was either.
 * @param {Period} period
 * @returns {'none' | 'taken' | 'untaken' | 'both'}
 */
export function fillOf({ taken, untaken }) {
    if (untaken > 0) return taken > 0 ? "both" : "untaken";
    return taken > 0 ? "taken" : "none";
}

/**
 * The stretches that the axis names: the first, the last, and the first in which something was not taken, where there is room for a word.
 * @param {readonly Period[]} periods
 */
export function namedPeriods(periods) {
    const last = periods.length - 1;
    const untaken = periods.findIndex((period) => period.untaken > 0);
    return untaken > room && untaken < last - room ? [0, untaken, last] : [0, last];
}

/** So many stretches are as wide as a word. */
const room = 5;
