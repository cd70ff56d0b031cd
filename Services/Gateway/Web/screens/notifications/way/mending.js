/** What mends a way: registering it again, another secret, or turning this device on again. */

import * as push from "../../../app/push.js";
import { confirms, meaningOf, standingOf } from "../../../water/ways.js";
import { renewSecret } from "../endpoints.js";
import { addAgain } from "../ways.js";

/** @typedef {import("../../../app/context.js").Context} Context */
/** @typedef {import("../endpoints.js").Endpoint} Endpoint */
/** @typedef {'secret' | 'again' | 'turnOn'} Mend */

/**
 * The first thing to do about a way; null where it works, where only the other side can mend it, or where it is mended elsewhere.
 * @param {Endpoint} endpoint
 * @param {boolean} isHere Whether it is the device in front of the person.
 * @returns {Mend | null}
 */
export function mendOf(endpoint, isHere) {
    const standing = standingOf(endpoint);
    const meaning = standing === "refused" ? meaningOf(endpoint.lastStatus ?? 0) : null;
    if (standing !== "gone" && meaning !== "right" && meaning !== "missing") return null;
    // A phone registers itself, once somebody opens it there.
    if (confirms(endpoint.channel)) return isHere && endpoint.channel === "webPush" ? "turnOn" : null;
    return endpoint.channel === "webhook" && meaning === "right" ? "secret" : "again";
}

/** The words on the button. @type {Record<Mend, string>} */
export const mendWords = { secret: "notifications.rotate", again: "ways.again", turnOn: "ways.turnOn" };

/**
 * @param {Context} context
 * @param {Endpoint} endpoint
 * @param {Mend} mend
 * @param {() => void} changed
 */
export async function perform(context, endpoint, mend, changed) {
    if (mend === "secret") return await renewSecret(context, endpoint, changed);
    if (mend === "again") return await addAgain(context, endpoint, changed);
    await push.turnOn(context.api);
    changed();
}
