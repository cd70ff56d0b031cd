/**
 * A value within its limits: the track is the range, the fill reaches from the minimum to the value. What is outside hangs
 * beside the track as a triangle. The drawing is hidden from readers; the card says it in words.
 */

import { ringPath } from "../../drawing/geometry.js";
import { h, set, setText, svg } from "../../page/dom.js";

/**
 * @typedef {object} RingModel
 * @property {number | null} share The value's place between the limits; null draws no bead.
 * @property {'low' | 'high' | null} side
 * @property {boolean} isOld
 * @property {string} value
 * @property {string} unit Empty where there is none.
 */

const path = ringPath(48, 41.5);

export function createRing() {
    const fill = svg("path", { class: "ring-fill", d: path, pathLength: 100 });
    const bead = svg(
        "g",
        { class: "ring-bead" },
        svg("circle", { class: "ring-bead-ground", cx: 48, cy: 48, r: 6.5 }),
        svg("circle", { class: "ring-bead-body", cx: 48, cy: 48, r: 5 }),
        svg("circle", { class: "ring-bead-eye", cx: 48, cy: 48, r: 2 }),
    );
    const drawing = svg(
        "svg",
        { class: "ring-drawing", viewBox: "0 0 96 96", "aria-hidden": "true" },
        svg("path", { class: "ring-track", d: path }),
        fill,
        bead,
        svg("path", { class: "ring-low", d: "M21.5 84h15L29 97z" }),
        svg("path", { class: "ring-high", d: "M59.5 97h15L67 84z" }),
    );
    const value = h("span", { class: "ring-number" });
    const unit = h("span", { class: "ring-unit" });
    const element = h("div", { class: "ring" }, drawing, h("span", { class: "ring-value" }, value, unit));

    return {
        element,
        /** @param {RingModel} model */
        update(model) {
            set(element, "data-side", model.side);
            set(element, "data-old", model.isOld);
            set(element, "data-empty", model.share === null);
            const share = model.side === "low" ? 0 : model.side === "high" ? 1 : model.share ?? 0;
            set(element, "data-full", share > 0.004);
            element.style.setProperty("--share", share.toFixed(4));
            setText(value, model.value);
            setText(unit, model.unit);
            set(element, "data-long", model.value.length > 4);
            set(element, "data-bare", model.unit === "");
        },
    };
}
