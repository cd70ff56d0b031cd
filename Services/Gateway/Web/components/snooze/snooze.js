/** Snoozing and acknowledging, for the screens that tell of an alarm. */

import { kindOf } from "../../kinds/index.js";
import { lengths } from "../../water/snoozes.js";
import { openChoice } from "../picker/choice.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../water/snoozes.js").Subject} Subject */

/** @param {number} minutes */
const milliseconds = (minutes) => minutes * 60_000;

/**
 * Asks for how long.
 * @param {Context} context
 * @param {Subject} subject
 * @param {string} [alert] The id of an alert about it, where one is known.
 */
export function chooseSnooze(context, subject, alert) {
    const { t, format } = context;
    openChoice(context, {
        title: t("snooze.title"),
        lead: t(kindOf(subject).isOfRange ? "snooze.lead" : "snooze.lead_silence"),
        options: [
            ...lengths.map((minutes) => ({ value: String(minutes), text: format.duration(milliseconds(minutes)) })),
            { value: "over", text: t("snooze.over"), detail: t("snooze.over_detail") },
        ],
        value: "",
        onChoose: (value) => snooze(context, subject, value === "over" ? "over" : { minutes: Number(value) }, alert),
    });
}

/**
 * @param {Context} context
 * @param {Subject} subject
 * @param {import("../../water/snoozes.js").SnoozeLength} length
 * @param {string} [alert]
 */
export async function snooze(context, subject, length, alert) {
    if (!await context.store.snooze(subject, length, alert)) context.toast({ text: context.t("snooze.untold") });
}

/**
 * @param {Context} context
 * @param {Subject} subject
 * @param {string} [alert]
 */
export async function cancelSnooze(context, subject, alert) {
    try {
        await context.store.snooze(subject, null, alert);
    } catch (error) {
        context.toast({ text: context.explain(error) });
    }
}
