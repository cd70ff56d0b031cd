/** The answers of a field that is made: choices, classes with their bounds, or what is counted. */

import { createButton } from "../../../components/button/button.js";
import { createField } from "../../../components/field/field.js";
import { createSymbol } from "../../../components/symbol/symbol.js";
import { h } from "../../../page/dom.js";
import { blankPart, longestName } from "../../../water/field/making.js";

/** @typedef {import("../../../water/field/making.js").MadePart} MadePart */

/** What is said of each part beside its name. @type {Record<'class' | 'choice' | 'count', readonly ('from' | 'to' | 'scientific')[]>} */
const more = { class: ["from", "to"], choice: [], count: ["scientific"] };

/**
 * @param {import("../../../app/context.js").Context} context
 * @param {{kind: 'class' | 'choice' | 'count', parts: readonly MadePart[], change: (parts: readonly MadePart[]) => void}} model
 */
export function createParts({ t }, { kind, parts, change }) {
    let all = [...parts];
    const list = h("ol", { class: "protocol-parts" });
    const add = createButton({
        text: t("protocol.add_part"),
        kind: "text",
        press() {
            take([...all, blankPart()]);
            list.lastElementChild?.querySelector("input")?.focus();
        },
    });

    /** @param {MadePart[]} next */
    function take(next) {
        all = next;
        change(all);
        list.replaceChildren(...all.map(rowOf));
    }

    /** @param {MadePart} _ @param {number} index */
    function rowOf(_, index) {
        const name = t(kind === "count" ? "protocol.animal" : "protocol.part", { number: index + 1 });
        const inputs = /** @type {const} */ (["label", ...more[kind]]).map((member) => {
            const isNumber = member === "from" || member === "to";
            const field = createField({
                label: member === "label" ? name : t(`protocol.${member}`), name: `${member}-${index}`, maxlength: isNumber ? 14 : longestName, inputmode: isNumber ? "decimal" : undefined,
                value: all[index][member],
                onInput() {
                    all = all.with(index, { ...all[index], [member]: field.value });
                    change(all);
                },
            });
            return field.element;
        });
        const away = h("button", {
            class: "icon-button",
            type: "button",
            "aria-label": t("protocol.remove_part", { name }),
            onclick() {
                take(all.filter((__, other) => other !== index));
                add.element.focus();
            },
        }, createSymbol("close"));
        return h("li", { class: `protocol-part protocol-part-${kind}` }, inputs, away);
    }

    take(all);
    return h("fieldset", { class: "protocol-answers" }, h("legend", { class: "field-label" }, t(kind === "count" ? "protocol.species" : "protocol.choices")), list, add.element);
}
