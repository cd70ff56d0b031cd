/**
 * A few choices side by side, of which one holds.
 */

import { h, set } from "../../page/dom.js";

/**
 * @template {string} T
 * @param {object} model
 * @param {string} model.label
 * @param {readonly {value: T, text: string}[]} model.options
 * @param {T} model.value
 * @param {(value: T) => void} model.onChoose
 */
export function createSegmented({ label, options, value, onChoose }) {
    const buttons = options.map((option) =>
        h("button", { type: "button", onclick: () => choose(option.value) }, option.text)
    );
    const element = h("div", { class: "segmented", role: "group", "aria-label": label }, ...buttons);

    /** @param {T} next */
    function show(next) {
        value = next;
        buttons.forEach((button, index) => set(button, "aria-pressed", String(options[index].value === next)));
    }

    /** @param {T} next */
    function choose(next) {
        if (next === value) return;
        show(next);
        onChoose(next);
    }

    show(value);
    return { element, show };
}
