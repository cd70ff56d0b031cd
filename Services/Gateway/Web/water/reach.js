/**
 * Whether alerts reach the person at all: at no endpoint nobody is told, whatever happens in the water.
 */

import { judge } from "./ways.js";

/**
 * none: no endpoint is registered; failed: there are some, and none of them works; urgent: by those that work the person hears of nothing but
 * what is critical; partly: one is broken, and another works.
 * @typedef {'none' | 'failed' | 'urgent' | 'partly' | 'some'} Reach
 */

/**
 * @param {readonly import("./ways.js").Way[]} endpoints All of the person's.
 * @returns {Reach}
 */
export function reachOf(endpoints) {
    const { kind } = judge(endpoints);
    if (kind === "none") return "none";
    if (kind === "nothing") return "failed";
    if (kind === "urgent") return "urgent";
    return kind === "broken" ? "partly" : "some";
}

/**
 * Where on the home screen that is told: a notice stands beside everything that is known now, before all else where nobody is told, and last,
 * never beside an alarm, where another way works; the question after a device was linked, never above an open alarm: from the first reading
 * on the water has the place.
 * @param {Reach | null} reach null while it is not known.
 * @param {Pick<import("./headline.js").Headline, "kind" | "isAlarm">} headline
 * @returns {{notice: Exclude<Reach, 'some'> | null, isGrave: boolean, asks: boolean}}
 */
export function warningOf(reach, { kind, isAlarm }) {
    const isUnknown = reach === null || reach === "some" || ["loading", "empty", "offline", "noAnswer"].includes(kind);
    if (isUnknown || reach === "partly" && isAlarm) return { notice: null, isGrave: false, asks: false };
    return { notice: reach, isGrave: reach !== "partly", asks: reach === "none" && kind === "waiting" };
}
