/** The next dates of a plan: as the service says them, or as this device knows them while nobody answers. */

import { h, setText } from "../../../page/dom.js";
import { datesText } from "../../../water/care-words.js";
import { dateOf, dayAt, dayOf } from "../../../water/civil.js";
import { datesOf } from "../../../water/rhythm.js";

/** @typedef {import("../../../water/care.js").Reminder} Reminder */

/** A plan has to rest so long before the service is asked. */
const rest = 400;
const count = 3;

/**
 * @param {import("../../../app/context.js").Context} context
 * @param {Pick<import("../../../app/care.js").Care, 'preview'>} care
 */
export function createNext(context, care) {
    const element = h("p", { class: "rows-note", role: "status" });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let resting;
    let asked = "";

    /** @param {Reminder} draft @param {readonly string[]} dates */
    function show({ zone }, dates) {
        setText(element, datesText(context, dates.map(dayOf), zone, dayAt(Date.now(), zone)));
    }

    /** @param {Reminder} draft @param {string} key */
    async function ask(draft, key) {
        try {
            const found = await care.preview(draft);
            if (key === asked) show(draft, found.slice(0, count));
        } catch {
            // What this device knows of it stands there.
        }
    }

    return {
        element,
        /** @param {Reminder} draft */
        update(draft) {
            const { rhythm, at, zone, startsOn } = draft;
            const key = JSON.stringify([rhythm, at, zone, startsOn]);
            if (key === asked) return;
            asked = key;
            const today = dateOf(dayAt(Date.now(), zone));
            show(draft, datesOf(rhythm, startsOn, count, startsOn > today ? startsOn : today));
            clearTimeout(resting);
            resting = setTimeout(() => void ask(draft, key), rest);
        },
        end() {
            clearTimeout(resting);
            asked = "";
        },
    };
}
