/** What tells nothing of the water, in words: a silence or a fault. */

import { faultTold } from "./fault.js";
import { silenceTold } from "./silence.js";

/**
 * @param {Pick<import("../../app/context.js").Context, "t" | "format">} context
 * @param {import("../../app/alerts.js").Episode} episode
 * @param {number} now
 */
export function probeTold(context, episode, now) {
    return episode.first.kind === "fault" ? faultTold(context, episode, now) : silenceTold(context, episode, now);
}
