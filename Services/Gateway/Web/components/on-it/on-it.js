/** Who is on it, where the buttons of an alarm stood: the first letter of a name in a disc, and since when in words. */

import { h, set, setText } from "../../page/dom.js";
import { answeredText, initialOf } from "../../water/answers.js";

/** @typedef {{initial: string, text: string}} OnItModel */

/**
 * @param {import("../../words/format.js").Voice} voice
 * @param {import("../../water/answers.js").Answered} answered
 * @param {number} now
 * @param {string} [you] What the person is called by others.
 * @returns {OnItModel}
 */
export function onItModel(voice, answered, now, you = answered.name) {
    return { initial: initialOf(answered.isYou ? you : answered.name), text: answeredText(voice, answered, now) };
}

export function createOnIt() {
    const disc = h("span", { class: "on-it-disc", "aria-hidden": "true" });
    const text = h("span");
    const element = h("p", { class: "on-it", hidden: true }, disc, text);
    return {
        element,
        /** @param {OnItModel | null} model null: nobody. */
        update(model) {
            set(element, "hidden", model === null);
            setText(disc, model?.initial ?? "");
            setText(text, model?.text ?? "");
        },
    };
}
