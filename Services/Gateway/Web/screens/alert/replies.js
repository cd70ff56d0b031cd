/** Buttons of an alert that goes on: to be on it, or to snooze it. */

import { answer } from "../../components/answer/answer.js";
import { createButton } from "../../components/button/button.js";
import { createOnIt } from "../../components/on-it/on-it.js";
import { createShape } from "../../components/shape/shape.js";
import { cancelSnooze, chooseSnooze, snooze } from "../../components/snooze/snooze.js";
import { h } from "../../page/dom.js";
import { repliesTo } from "../../water/answers.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("./told.js").Explained} Explained */

/**
 * @param {Context} context
 * @param {import("../../water/snoozes.js").Subject} subject
 * @param {import("../../water/answers.js").Answered | null} answered
 * @param {import("../../components/on-it/on-it.js").OnItModel | null} who
 * @param {boolean} isLookedAt Whether the person only looks.
 */
export function answering(context, subject, answered, who, isLookedAt) {
    const { t } = context;
    const onIt = createOnIt();
    onIt.update(who);
    const buttons = isLookedAt ? [] : repliesTo(answered).map((reply) =>
        createButton({
            text: t(`answers.${reply}`),
            kind: reply === "onIt" ? "primary" : "quiet",
            press: () => answer(context, subject, reply),
        }).element
    );
    return [...who ? [onIt.element] : [], ...buttons.length > 0 ? [h("div", { class: "alert-snooze" }, ...buttons)] : []];
}

/**
 * @param {Context} context
 * @param {Explained} alert
 * @param {import("../../water/snoozes.js").Subject} subject
 * @param {string} text
 */
export function snoozed(context, alert, subject, text) {
    const { t } = context;
    const button = createButton({ text: t("snooze.cancel"), kind: "quiet", press: () => cancelSnooze(context, subject, alert.id) });
    return [h("p", { class: "alert-snoozed", role: "status" }, createShape("snoozed"), text), h("div", { class: "alert-snooze" }, button.element)];
}

/**
 * @param {Context} context
 * @param {Explained} alert
 * @param {import("../../water/snoozes.js").Subject} subject
 */
export function snoozing(context, alert, subject) {
    const { t } = context;
    const shortly = createButton({
        text: t("snooze.shortly"),
        kind: "quiet",
        press: async () => {
            try {
                await snooze(context, subject, { minutes: 30 }, alert.id);
            } catch (error) {
                context.toast({ text: context.explain(error) });
            }
        },
    });
    const longer = createButton({ text: t("snooze.longer"), kind: "quiet", press: () => chooseSnooze(context, subject, alert.id) });
    return [h("div", { class: "alert-snooze" }, shortly.element, longer.element)];
}
