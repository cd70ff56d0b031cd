/** A quiet line of Home, about what the app fetches at leisure: what is due at a tank, a probe that is overdue. No first screen waits for it. */

import { effect } from "../../page/signals.js";

/** @typedef {import("../../page/signals.js").Readable<unknown>} Changing */
/** @typedef {Pick<import("./notices.js").Row, "shape" | "text"> & {href?: string}} Line */

/**
 * @typedef {object} Source
 * @property {Changing} shown What the line is made of.
 * @property {(context: import("../../app/context.js").Context, device: string, now: number) => Line | null} lineOf
 */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {{key: string, href?: string}} row By what it is known, and where it leads unless the line says so.
 * @param {import("../../page/signals.js").Readable<Source | null>} source null until it has come.
 * @param {() => void} changed There is something else to show.
 */
export function createQuietLine(context, row, source, changed) {
    let endShown = () => {};
    let isFirst = true;
    const end = effect([source], () => {
        endShown();
        if (source.value) endShown = source.value.shown.subscribe(changed);
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
            const device = context.store.current.value?.id;
            const line = device === undefined || headline.isAlarm ? null : source.value?.lineOf(context, device, now);
            return line ? { href: "/", ...row, ...line } : null;
        },

        remove() {
            end();
            endShown();
        },
    };
}
