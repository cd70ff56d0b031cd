/**
 * What a period comes to: a few figures side by side, coloured only where they are outside the limits.
 */

import { h, set, setText } from "../../page/dom.js";

/**
 * @typedef {object} Figure
 * @property {string} label
 * @property {{text: string, isUnit?: boolean}[]} value Its parts; units are smaller.
 * @property {string} note A time, or empty.
 * @property {boolean} isOutside
 */

export function createStatistics() {
    const element = h("dl", { class: "statistics" });
    return {
        element,
        /** @param {readonly Figure[]} figures */
        update(figures) {
            while (element.children.length > figures.length) element.lastElementChild?.remove();
            while (element.children.length < figures.length) {
                element.append(h(
                    "div",
                    { class: "statistics-figure" },
                    h("dt", { class: "statistics-label" }),
                    h("dd", { class: "statistics-value" }),
                    h("dd", { class: "statistics-note" }),
                ));
            }
            figures.forEach((figure, index) => {
                const entry = element.children[index];
                const [label, value, note] = entry.children;
                set(entry, "data-out", figure.isOutside);
                setText(label, figure.label);
                setText(note, figure.note);
                const text = figure.value.map((part) => part.text).join("");
                if (value.textContent !== text) {
                    value.replaceChildren(
                        ...figure.value.map((part) => part.isUnit ? h("small", null, part.text) : part.text),
                    );
                }
            });
        },
    };
}
