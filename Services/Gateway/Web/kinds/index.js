/** What is not a value out of range, in words: a silence, a fault, or a value that changes fast or is on the way to a limit. */

import { aheadTold } from "./ahead.js";
import { faultTold } from "./fault.js";
import { rateTold } from "./rate.js";
import { silenceTold } from "./silence.js";

/**
 * @param {import("../words/format.js").Voice} context
 * @param {import("../water/alerts.js").Episode} episode
 * @param {number} now
 */
export function besideTold(context, episode, now) {
    if (episode.first.kind === "ahead") return aheadTold(context, episode, now);
    if (episode.first.kind === "rate") return rateTold(context, episode, now);
    return episode.first.kind === "fault" ? faultTold(context, episode, now) : silenceTold(context, episode, now);
}
