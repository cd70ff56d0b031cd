/** What happened on the account that was not done here, on the home screen: a notice until the person has looked. */

import { newsText, readUnseen } from "../../app/happened.js";

/** So often it is asked for again while the screen stands. */
const renewal = 5 * 60_000;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {() => void} changed There is something else to show.
 */
export function createHappening(context, changed) {
    /** @type {import("../../app/happened.js").AccountEvent[]} */
    let events = [];
    let readAt = -Infinity;
    let hasEnded = false;

    async function read() {
        readAt = Date.now();
        try {
            events = await readUnseen(context);
        } catch {
            return; // What was known holds; without a connection that is the headline.
        }
        if (!hasEnded) changed();
    }

    return {
        /**
         * An alarm of the water leaves no place for it.
         * @param {import("../../water/headline.js").Headline} headline
         * @param {number} now
         * @returns {import("./notices.js").Row | null} The notice.
         */
        update(headline, now) {
            if (context.store.connection.value.state === "live" && now - readAt > renewal) read();
            const text = headline.isAlarm ? null : newsText(events, context);
            return text === null ? null : { key: "happened", shape: "fault", text, href: "/settings/account" };
        },

        remove() {
            hasEnded = true;
        },
    };
}
