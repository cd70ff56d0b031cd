/**
 * A sheet with a few choices of which one is taken at once.
 */

import { h } from "../../page/dom.js";
import { createSymbol } from "../symbol/symbol.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} model
 * @param {string} model.title
 * @param {string} [model.lead]
 * @param {readonly {value: string, text: string, detail?: string, lang?: string}[]} model.options
 * @param {string | null} model.value null while none is chosen.
 * @param {(value: string) => Promise<void>} model.onChoose
 */
export function openChoice(context, { title, lead, options, value, onChoose }) {
    const list = h(
        "ul",
        null,
        ...options.map((option) => {
            const isPresent = option.value === value;
            return h(
                "li",
                null,
                h(
                    "button",
                    {
                        class: "choice",
                        type: "button",
                        lang: option.lang,
                        "aria-pressed": String(isPresent),
                        autofocus: isPresent,
                        onclick: async () => {
                            sheet.close();
                            if (isPresent) return;
                            try {
                                await onChoose(option.value);
                            } catch (error) {
                                context.toast({ text: context.explain(error) });
                            }
                        },
                    },
                    h(
                        "span",
                        { class: "choice-text" },
                        h("span", null, option.text),
                        option.detail ? h("span", { class: "small quiet" }, option.detail) : null,
                    ),
                    isPresent ? createSymbol("check") : null,
                ),
            );
        }),
    );
    const sheet = context.sheet({ title, lead, body: [list] });
}
