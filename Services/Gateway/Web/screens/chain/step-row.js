/** A row of a chain: the time, a disc with a letter or an icon, a name, and a line about it. */

import { createIcon, createShape } from "../../components/shape/shape.js";
import { createSymbol } from "../../components/symbol/symbol.js";
import { h, set, setText } from "../../page/dom.js";

/**
 * @typedef {object} StepModel
 * @property {string} key
 * @property {string} after When, in words.
 * @property {{initial: string, icon: string | null}} disc
 * @property {string} name
 * @property {string} detail
 * @property {boolean} isBroken Whether the step tells nobody.
 * @property {() => void} [press]
 */

/** @param {StepModel} first */
export function createStepRow(first) {
    let model = first;
    const after = h("span", { class: "chain-after" });
    const disc = h("span", { class: "chain-disc", "aria-hidden": "true" });
    const name = h("span", { class: "chain-name" });
    const detail = h("span", { class: "row-detail" });
    const fault = h("span", { class: "row-mark" }, createShape("fault"));
    const chevron = createIcon("chevronRight", "icon-small row-chevron");
    const parts = [after, disc, h("span", { class: "row-text" }, name, detail), fault, chevron];
    const element = h("li", { class: "chain-step" });
    /** @type {string | null} */
    let drawn = null;
    /** @type {Element | null} */
    let inside = null;

    /** A step that leads nowhere is no button. @param {boolean} leads */
    function put(leads) {
        const tag = leads ? "button" : "div";
        if (inside?.localName === tag) return;
        inside = leads
            ? h("button", { class: "chain-row", type: "button", onclick: () => model.press?.() }, ...parts)
            : h("div", { class: "chain-row" }, ...parts);
        element.replaceChildren(inside);
    }

    return {
        element,
        /** @param {StepModel} next */
        update(next) {
            model = next;
            put(next.press !== undefined);
            set(element, "data-broken", next.isBroken);
            setText(after, next.after);
            setText(name, next.name);
            setText(detail, next.detail);
            set(fault, "hidden", !next.isBroken);
            set(chevron, "hidden", next.press === undefined);
            const { initial, icon } = next.disc;
            if (drawn === (icon ?? initial)) return;
            drawn = icon ?? initial;
            disc.replaceChildren(icon === null ? initial : createSymbol(icon));
        },
    };
}
