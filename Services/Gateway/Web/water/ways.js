/**
 * Ways to reach a person, judged by what is known of them: that a message arrived, that a server took it, that it was refused, or that it was
 * never sent.
 */

/**
 * An endpoint, as far as it is judged.
 * @typedef {object} Way
 * @property {'active' | 'failing' | 'paused' | 'gone'} state
 * @property {string | null} lastAcceptedAt
 * @property {string | null} [lastArrivedAt] As the browser itself said.
 * @property {string | null} [unconfirmedSince] Since when it confirms nothing any more, though it did before.
 * @property {'all' | 'urgent' | 'nothing'} [reaches] For what it reaches the person now; a service of before says nothing of it.
 * @property {string | null} [lastFailure] How the last attempt ended; refused: before anything was sent.
 * @property {number | null} lastStatus
 */

/** @typedef {'arrived' | 'accepted' | 'untested' | 'refused' | 'silent' | 'unsent' | 'mute' | 'paused' | 'gone'} Standing */

/**
 * What is known of a way. The last proof of a phone is its own word, unless a later message brought none.
 * @param {Way} way
 * @returns {Standing}
 */
export function standingOf({ state, lastAcceptedAt, lastArrivedAt, lastStatus, lastFailure, unconfirmedSince }) {
    if (state === "gone" || state === "paused") return state;
    if (state === "failing") return lastStatus !== null ? "refused" : lastFailure === "refused" ? "unsent" : "silent";
    if (unconfirmedSince) return "mute";
    if (lastArrivedAt && Date.parse(lastArrivedAt) >= Date.parse(lastAcceptedAt ?? lastArrivedAt)) return "arrived";
    return lastAcceptedAt ? "accepted" : "untested";
}

/** @param {Pick<Way, "state" | "unconfirmedSince">} way */
export const isBroken = ({ state, unconfirmedSince }) => state === "failing" || state === "gone" || state === "active" && Boolean(unconfirmedSince);

/**
 * Whether what is told there says by itself that a message has arrived: a browser, or an app.
 * @param {string} channel
 */
export const confirms = (channel) => ["webPush", "apns", "fcm"].includes(channel);

/** @param {Pick<Way, "state">} way Signed out or gone, it gets nothing at all. */
export const isUsable = ({ state }) => state === "active" || state === "failing";

/**
 * For what a way reaches the person, as the service judges it.
 * @param {Pick<Way, "state" | "unconfirmedSince" | "reaches">} way
 * @returns {'all' | 'urgent' | 'nothing'}
 */
const reachesOf = ({ reaches, ...way }) => reaches ?? (way.state === "active" && !isBroken(way) ? "all" : "nothing");

/**
 * none: there is no way; nothing: none of them works; urgent: by those that do the person hears of nothing but what is critical; broken: some
 * work; untested: none has taken a message yet; fine: all that are in use work, of which some may not be tested yet.
 * @template {Way} Own
 * @typedef {object} Judgement
 * @property {'none' | 'nothing' | 'urgent' | 'broken' | 'untested' | 'fine'} kind
 * @property {readonly Own[]} broken
 * @property {number} working Ways that reach the person, if only for what is critical.
 * @property {number} proven Those of them that have taken a message.
 */

/**
 * @template {Way} Own
 * @param {readonly Own[]} ways All of the person's.
 * @returns {Judgement<Own>}
 */
export function judge(ways) {
    const broken = ways.filter(isBroken);
    const working = ways.filter((way) => reachesOf(way) !== "nothing");
    const proven = working.filter((way) => standingOf(way) !== "untested").length;
    const known = { broken, working: working.length, proven };
    if (ways.length === 0) return { kind: "none", ...known };
    if (working.length === 0) return { kind: "nothing", ...known };
    if (working.every((way) => reachesOf(way) === "urgent")) return { kind: "urgent", ...known };
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
