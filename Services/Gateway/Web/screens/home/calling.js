/** A notice on the home screen that somebody asks whether the person may be alerted too, until the person has answered. */

import { callsOf } from "../../app/calls.js";
import { effect } from "../../page/signals.js";
import { waitingCalls } from "../../water/calls.js";

/** Calls are read again so often while the screen stands. */
const renewal = 5 * 60_000;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {() => void} changed There is something else to show.
 */
export function createCalling(context, changed) {
    const { t, store: { connection, callNews } } = context;
    const calls = callsOf(context);
    let readAt = -Infinity;
    let isFirst = true;
    const end = effect([calls.known], () => {
        if (!isFirst) changed();
        isFirst = false;
    });
    const endNews = callNews.subscribe(() => void calls.read());

    return {
        /**
         * An alarm of the water leaves no place for it.
         * @param {import("../../water/headline.js").Headline} headline
         * @param {number} now
         * @returns {import("./notices.js").Row | null} The notice.
         */
        update(headline, now) {
            if (connection.value.state === "live" && now - readAt > renewal) {
                readAt = now;
                void calls.read();
            }
            if (headline.isAlarm) return null;
            const [first] = waitingCalls(calls.known.value);
            if (!first) return null;
            const { device, deviceName, person: { name } } = first;
            return { key: "calls", shape: "answered", text: t("chain.asked", { name, device: deviceName || device }), href: "/settings" };
        },

        remove() {
            end();
            endNews();
        },
    };
}
