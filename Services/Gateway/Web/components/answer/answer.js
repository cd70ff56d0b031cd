/** Answering an alarm, for the screens that tell of one. */

import { answeredOf, answeredText } from "../../water/answers.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../water/answers.js").Reply} Reply */

/**
 * Says to all who share a device what the person does about something. Whoever was faster is told.
 * @param {Context} context
 * @param {import("../../water/snoozes.js").Subject} subject
 * @param {Reply} reply
 * @param {string} [alert] The id of an alert about it, where one is known.
 */
export async function answer(context, subject, reply, alert) {
    try {
        const answered = await context.store.answer(subject, reply, alert);
        if (answered === null) return void context.toast({ text: context.t("snooze.untold") });
        const { onIt } = answered;
        if (reply === "onIt" && onIt && !onIt.isYou) context.toast({ text: answeredText(context, answeredOf(onIt), Date.now()) });
    } catch (error) {
        context.toast({ text: context.explain(error) });
    }
}
