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
 * @param {import("../page/signals.js").Signal<number>} parts.callNews Counts the changes of chains and of what people agreed to.
 * @param {import("../page/signals.js").Signal<number>} parts.careNews Counts the changes of what the person's tanks need.
 * @param {import("../page/signals.js").Signal<number>} parts.journalNews Counts the changes of what people wrote down.
 * @param {import("../page/signals.js").Readable<import("./alert-list.js").Kinds | null>} parts.kinds
 * @param {(pause: number) => Promise<void>} [parts.sleep]
 */
export function createStream({ api, known, alertNews, callNews, careNews, journalNews, kinds, sleep }) {
    const news = { calls: callNews, care: careNews, journal: journalNews };
    const { read, refresh, catchUp, note, isReading } = createRefresh({ api, known, sleep });

    /**
     * Whether what is known has to be read again for a trouble. What is told of kinds that have not come yet may be anything.
     * @param {any} trouble
     */
    function isNews(trouble) {
        if (!kinds.value) return true;
        const device = known.devices.value?.find(({ id }) => id === trouble.device);
        // The answers that are on their way may still have what is over.
        const isLate = trouble.state !== "open" && isReading();
        return isLate ? kinds.value.isOfDevice(trouble) : kinds.value.isNews(trouble, device);
    }

    return {
        read,
        refresh,

        /** @param {LiveEvent} event What the stream tells. */
        apply(event) {
            known.seen();
            switch (event.name) {
                case "alert":
                    alertNews.value += 1;
                    if (event.data && (kinds.value?.isOfDevice(event.data) ?? true)) void catchUp();
                    return;
                case "trouble":
                    note(event);
                    if (event.data && isNews(event.data)) void catchUp(["devices"]);
                    return;
                case "intake":
                    return known.setLate(timeOrNull(event.data?.lateSince));
                case "resync":
                case "ready": {
                    const { parts, others } = partsOf(event.data);
                    for (const part of others) news[part].value += 1;
                    // What is known of a place is what people wrote down, which comes with the devices.
                    const asksPlaces = others.includes("journal") && known.devices.value?.some(({ kind }) => kind === "site");
                    const wanted = asksPlaces ? [...new Set(/** @type {const} */ ([...parts, "devices"]))] : parts;
                    if (wanted.length > 0) void catchUp(wanted);
                    return;
                }
                default:
                    return note(event);
            }
        },
    };
}
