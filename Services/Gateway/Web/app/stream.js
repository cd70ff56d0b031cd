/**
 * The known state, kept up with the service: read at the start, brought up to date by the stream of events, and read again where
 * the stream says that it cannot tell what has changed.
 */

import { timeOrNull } from "../water/series.js";
import { createRefresh, partsOf } from "./refresh.js";

/** @typedef {import("./live.js").LiveEvent} LiveEvent */

/**
 * @param {object} parts
 * @param {import("./api.js").API} parts.api
 * @param {import("./known.js").Known} parts.known
 * @param {import("../page/signals.js").Signal<number>} parts.alertNews Counts the alerts that were told.
 * @param {import("../page/signals.js").Readable<import("./alert-list.js").Kinds | null>} parts.kinds
 * @param {(pause: number) => Promise<void>} [parts.sleep]
 */
export function createStream({ api, known, alertNews, kinds, sleep }) {
    const { read, refresh, catchUp, note } = createRefresh({ api, known, sleep });
    return {
        read,
        refresh,

        /** @param {LiveEvent} event What the stream tells. */
        apply(event) {
            known.seen();
            switch (event.name) {
                case "alert":
                    alertNews.value += 1;
                    if (event.data && kinds.value?.isOfDevice(event.data)) void catchUp();
                    return;
                case "trouble":
                    note(event);
                    if (event.data && kinds.value?.isOfDevice(event.data)) void catchUp(["devices"]);
                    return;
                case "intake":
                    return known.setLate(timeOrNull(event.data?.lateSince));
                case "resync":
                case "ready":
                    return void catchUp(partsOf(event.data));
                default:
                    return note(event);
            }
        },
    };
}
