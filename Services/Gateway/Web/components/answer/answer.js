/** Answering an alarm, for the screens that tell of one. */

import { answeredOf, answeredText } from "../../water/answers.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../water/answers.js").Reply} Reply */

/**
 * Says to all who share a device what the person does about something. Whoever was faster is told.
 * @param {Context} context
 * @param {import("../../water/snoozes.js").Subject} subject
 * @param {Reply} reply
 */
export async function answer(context, subject, reply) {
    try {
        const { onIt } = await context.store.answer(subject, reply);
        if (reply === "onIt" && onIt && !onIt.isYou) context.toast({ text: answeredText(context, answeredOf(onIt), Date.now()) });
    } catch (error) {
        context.toast({ text: context.explain(error) });
    }
}
