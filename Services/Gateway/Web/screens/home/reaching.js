/**
 * Whether alerts reach the person, on the home screen: a notice until they do, and the question to allow them on this device.
 */

import { h, set } from "../../app/dom.js";
import { reachOf, warningOf } from "../../app/reach.js";

/** So often the endpoints are read again while the screen stands. */
const renewal = 5 * 60_000;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {() => void} changed There is something else to show.
 */
export function createReaching(context, changed) {
    const { api, t, store } = context;
    const element = h("div", { class: "home-offer", hidden: true });
    /** @type {import("../../app/reach.js").Reach | null} */
    let reach = null;
    let readAt = -Infinity;
    /** @type {Promise<{element: HTMLElement, end: () => void} | null> | null} */
    let offer = null;
    let hasEnded = false;

    async function read() {
        readAt = Date.now();
        try {
            const { data } = await api.get("/endpoints");
            reach = reachOf(data.items);
            if (!hasEnded) changed();
        } catch {
            // What was known holds; without a connection that is the headline.
        }
    }

    async function load() {
        try {
            const { createOffer } = await import("../notifications/offer.js");
            if (hasEnded) return null;
            const made = createOffer(context, read);
            element.append(made.element);
            return made;
        } catch {
            offer = null; // asked for again at the next update
            return null;
        }
    }

    return {
        element,

        /**
         * @param {import("../../app/headline.js").Headline} headline
         * @param {number} now
         * @returns {import("./notices.js").Row | null} The notice.
         */
        update(headline, now) {
            if (store.connection.value.state === "live" && now - readAt > renewal) read();
            const { notice, asks } = warningOf(reach, headline);
            set(element, "hidden", !asks);
            if (asks) offer ??= load();
            return notice && { key: "reach", shape: "fault", text: t(`home.reach_${notice}`), href: "/settings/notifications" };
        },

        remove() {
            hasEnded = true;
            offer?.then((made) => made?.end());
        },
    };
}
