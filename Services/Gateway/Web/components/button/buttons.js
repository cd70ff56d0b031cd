/**
 * A row of buttons that changes while it stands. A press does what the row was last told, whatever it was told before.
 */

import { h, set, setText } from "../../page/dom.js";

/**
 * @typedef {object} RowButton
 * @property {string} text
 * @property {string} kind Its class is `button`, and the row's prefix with this.
 * @property {string} [href]
 * @property {() => void} [press]
 */

/**
 * @param {string} className
 * @param {string} prefix
 */
export function createButtons(className, prefix) {
    const element = h("div", { class: className, onclick: act });
    /** What stands here now, in the order of the elements: they themselves carry nothing to do. @type {readonly RowButton[]} */
    let present = [];

    /** @param {MouseEvent} event */
    function act(event) {
        // The second click of a double one was meant for what stood there at the first.
        if (event.detail > 1) return;
        const index = [...element.children].findIndex((button) => button.contains(/** @type {Node} */ (event.target)));
        present[index]?.press?.();
    }

    return {
        element,
        /** @param {readonly RowButton[]} next */
        update(next) {
            present = next;
            next.forEach(({ text, kind, href }, index) => {
                const tag = href === undefined ? "button" : "a";
                let button = element.children[index];
                if (button?.localName !== tag) {
                    const made = h(tag, tag === "button" ? { type: "button" } : null);
                    if (button) button.replaceWith(made);
                    else element.append(made);
                    button = made;
                }
                set(button, "class", `button ${prefix}${kind}`);
                set(button, "href", href);
                setText(button, text);
            });
            for (const left of [...element.children].slice(next.length)) left.remove();
            set(element, "hidden", next.length === 0);
        },
    };
}
