/** Work on the water, for the screens on which it begins and ends: two taps. */

import { minutesOf, more, offered } from "../../water/work.js";
import { openChoice } from "../picker/choice.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../water/work.js").WorkKind} WorkKind */

/**
 * Asks what is done; a tap begins.
 * @param {Context} context
 * @param {string} device
 */
export function chooseWork(context, device) {
    const { t, format } = context;
    openChoice(context, {
        title: t("work.title"),
        lead: t("work.lead"),
        options: offered.map((kind) => ({ value: kind, text: t(`work.${kind}`), detail: format.duration(minutesOf(kind) * 60_000) })),
        value: "",
        onChoose: (kind) => context.store.beginWork(device, /** @type {WorkKind} */ (kind)),
    });
}

/**
 * @param {Context} context
 * @param {string} device
 * @param {string} work
 * @param {'finish' | 'extend'} change
 */
export async function changeWork(context, device, work, change) {
    try {
        await context.store.changeWork(device, work, change === "extend" ? { minutes: more } : null);
    } catch (error) {
        context.toast({ text: context.explain(error) });
    }
}
