/**
 * A second-worst thing: shape, sentence, and where it leads.
 */

import { h, set, setText } from "../../page/dom.js";
import { createIcon, setShape } from "../shape/shape.js";

/**
 * @typedef {object} NoticeModel
 * @property {import("../shape/shape.js").ShapeName} shape
 * @property {string} text
 * @property {string} href
 * @property {boolean} [isLate] Whether it asks for a hand.
 */

export function createNotice() {
    const shape = h("span", { class: "notice-shape" });
    const text = h("span", { class: "notice-text" });
    const element = h("a", { class: "notice" }, shape, text, createIcon("chevronRight", "icon-small"));
    return {
        element,
        /** @param {NoticeModel} model */
        update(model) {
            setShape(shape, model.shape);
            setText(text, model.text);
            set(element, "href", model.href);
            set(text, "data-late", model.isLate ?? false);
        },
    };
}
