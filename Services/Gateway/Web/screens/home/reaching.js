/**
 * Whether alerts reach the person, on the home screen: a notice until each way works, and the question to allow them on this device.
 */

import { h, set } from "../../page/dom.js";
import { reachOf, warningOf } from "../../water/reach.js";

/** So often the endpoints are read again while the screen stands. */
const renewal = 5 * 60_000;
/** The screen waits so long at most for what it is to say of them. */
const patience = 3_000;
const part = "reach";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {() => void} changed There is something else to show.
 */
export function createReaching(context, changed) {
    const { api, t, store } = context;
    const element = h("div", { class: "home-offer", hidden: true });
    /** @type {import("../../water/reach.js").Reach | null} */
    let reach = null;
    let readAt = -Infinity;
    /** @type {Promise<{element: HTMLElement, end: () => void} | null> | null} */
    let offer = null;
    let hasEnded = false;
    let isSettled = false;
    let isKept = true;

    async function read() {
        readAt = Date.now();
        try {
            const { data } = await api.get("/endpoints");
            reach = reachOf(data.items);
            isKept = false;
        } catch {
            // What was known holds; without a connection that is the headline.
        }
        settle();
    }

    function settle() {
        isSettled = true;
        if (!hasEnded) changed();
    }

    // What was known on the last visit stands from the beginning.
    store.kept(part).then((kept) => {
        if (!kept || isSettled) return;
        reach = kept;
        settle();
    });
    const waiting = setTimeout(settle, patience);
    read();

    async function load() {
        try {
            const [{ createOffer }, push] = await Promise.all([t.along(import("../../components/offer/offer.js")), import("../../app/push.js")]);
            if (hasEnded) return null;
            const made = createOffer(context, { push, answered: read });
            element.append(made.element);
            return made;
        } catch {
            offer = null; // asked for again at the next update
            return null;
        }
    }

    return {
        element,

        /** Whether the screen can be drawn so that nothing on it moves when the answer comes. */
        isSettled: () => isSettled,

        /**
         * @param {import("../../water/headline.js").Headline} headline
         * @param {number} now
         * @returns {{row: import("./notices.js").Row | null, isFirst: boolean}} The notice, and whether it stands above all others.
         */
        update(headline, now) {
            if (store.connection.value.state === "live" && now - readAt > renewal) read();
            if (!isKept && store.account.value) {
                store.keep(part, reach);
                isKept = true;
            }
            const { notice, isGrave, asks } = warningOf(reach, headline);
            set(element, "hidden", !asks);
            if (asks) offer ??= load();
            return {
                row: notice && { key: "reach", shape: "fault", text: t(`home.reach_${notice}`), href: "/settings/notifications" },
                isFirst: isGrave,
            };
        },

        remove() {
            hasEnded = true;
            clearTimeout(waiting);
            offer?.then((made) => made?.end());
        },
    };
}
