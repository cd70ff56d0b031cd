/**
 * A few choices of which one is taken at once, in a sheet or among other things.
 */

import { h, set } from "../../page/dom.js";
import { createSymbol } from "../symbol/symbol.js";

/** @typedef {{value: string, text: string, detail?: string, lang?: string, icon?: Node}} Option */

/**
 * @param {object} model
 * @param {string} [model.label]
 * @param {readonly Option[]} model.options
 * @param {string | null} model.value null while none is chosen.
 * @param {(value: string) => void} model.onChoose The present one too.
 */
export function createChoices({ label, options, value, onChoose }) {
    const check = createSymbol("check");
    const buttons = options.map((option) =>
        h(
            "button",
            { class: "choice", type: "button", lang: option.lang, autofocus: option.value === value, onclick: () => onChoose(option.value) },
            option.icon ? h("span", { class: "choice-icon" }, option.icon) : null,
            h(
                "span",
                { class: "choice-text" },
                h("span", null, option.text),
                option.detail ? h("span", { class: "small quiet" }, option.detail) : null,
            ),
        )
    );
    const element = h("ul", { "aria-label": label }, ...buttons.map((button) => h("li", null, button)));

    /** @param {string | null} next */
    function show(next) {
        check.remove();
        buttons.forEach((button, index) => {
            const isPresent = options[index].value === next;
            set(button, "aria-pressed", String(isPresent));
            if (isPresent) button.append(check);
        });
    }

    show(value);
    return { element, show };
}

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} model
 * @param {string} model.title
 * @param {string} [model.lead]
 * @param {readonly Option[]} model.options
 * @param {string | null} model.value null while none is chosen.
 * @param {(value: string) => Promise<void>} model.onChoose
 */
export function openChoice(context, { title, lead, options, value, onChoose }) {
    const { element } = createChoices({
        options,
        value,
        async onChoose(next) {
            sheet.close();
            if (next === value) return;
            try {
                await onChoose(next);
            } catch (error) {
                context.toast({ text: context.explain(error) });
            }
        },
    });
    const sheet = context.sheet({ title, lead, body: [element] });
}
