/** The one quiet line about what is due at a tank. It takes what the app fetches at leisure, and no first screen waits for it. */

import { effect } from "../../page/signals.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {() => void} changed There is something else to show.
 */
export function createCaring(context, changed) {
    const { care, current } = context.store;
    let endShown = () => {};
    let isFirst = true;
    const end = effect([care], () => {
        endShown();
        if (care.value) endShown = care.value.shown.subscribe(changed);
        if (!isFirst) changed();
        isFirst = false;
    });

    return {
        /**
         * An alarm of the water leaves no place for it.
         * @param {import("../../water/headline.js").Headline} headline
         * @param {number} now
         * @returns {import("./notices.js").Row | null} The notice.
         */
        update(headline, now) {
            const device = current.value?.id;
            const line = device === undefined || headline.isAlarm ? null : care.value?.lineOf(context, device, now);
            return line ? { key: "care", href: "/care", ...line } : null;
        },

        remove() {
            end();
            endShown();
        },
    };
}
