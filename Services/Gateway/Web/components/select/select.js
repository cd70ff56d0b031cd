/** A list of choices of which one shows, with its label above. */

import { uniqueID } from "../shape/shape.js";
import { h } from "../../page/dom.js";

/** @typedef {{value: string, text: string}} Option */

/**
 * @param {object} model
 * @param {string} model.label
 * @param {readonly Option[]} model.options
 * @param {string} [model.value] The present one; the first one unless given.
 * @param {(value: string) => void} model.choose
 */
export function createSelect({ label, options, value, choose }) {
    const id = uniqueID();
    const select = h("select", { class: "field-input", id, onchange: () => choose(select.value) });
    let shown = "";

    /** @param {readonly Option[]} next */
    function show(next) {
        const key = JSON.stringify(next);
        if (key === shown) return;
        shown = key;
        const { value } = select;
        select.replaceChildren(...next.map(({ value, text }) => h("option", { value }, text)));
        if (next.some((option) => option.value === value)) select.value = value;
    }

    show(options);
    if (value !== undefined) select.value = value;
    return {
        element: h("div", { class: "field" }, h("label", { class: "field-label", for: id }, label), h("div", { class: "field-box" }, select)),
        show,
    };
}
