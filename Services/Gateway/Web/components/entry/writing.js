/** What a person writes down, and how they are told: at once, with a way back and a way to say more. */

import { bare } from "../../water/journal.js";
import { titleOf } from "../../water/journal-text.js";
import { openEntryForm } from "./form.js";
import { unkeptText } from "./not-kept.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../water/journal.js").Content} Content */
/** @typedef {import("../../water/journal.js").Entry} Entry */
/** @typedef {import("../journal-list/model.js").Journal} Journal */

/** So long the way back is offered, in milliseconds. */
const patience = 10_000;
/** Takes away what tells of the entry before. @type {() => void} */
let takeAway = () => {};

/**
 * Writes a kind as now with nothing else, or asks where that says nothing.
 * @param {Context} context
 * @param {Journal} journal
 * @param {string} device
 * @param {Content} content
 */
export async function writeNow(context, journal, device, content) {
    try {
        const entry = await journal.write(device, content);
        tell(context, journal, entry, true);
    } catch (error) {
        context.toast({ text: unkeptText(context, error) });
    }
}

/**
 * @param {Context} context
 * @param {Journal} journal
 * @param {Entry} entry
 * @param {boolean} hasMore Whether there is more that could be said.
 */
function tell(context, journal, entry, hasMore) {
    const { t, toast } = context;
    takeAway();
    const remove = toast({
        text: t("journal.wrote", { what: titleOf(context, entry) }),
        action: { text: t("journal.undo"), press: () => journal.remove(entry).catch((error) => toast({ text: unkeptText(context, error) })) },
        ...(hasMore ? { more: { text: t("journal.more"), press: () => ask(context, journal, entry.device, entry.kind, entry) } } : {}),
    });
    const timer = setTimeout(remove, patience);
    takeAway = () => {
        clearTimeout(timer);
        remove();
    };
}

/**
 * Asks for the rest of an entry.
 * @param {Context} context
 * @param {Journal} journal
 * @param {string} device
 * @param {string} kind
 * @param {Entry} [known] Where it is written already.
 * @param {{beginsWithPhoto?: boolean}} [how]
 */
export function ask(context, journal, device, kind, known, { beginsWithPhoto = false } = {}) {
    openEntryForm(context, {
        beginsWithPhoto,
        journal,
        device,
        content: known ?? bare(kind, Date.now()),
        known,
        // An animal's death is written and not announced.
        saved: (entry) => !known && kind !== "died" && tell(context, journal, entry, false),
    });
}
