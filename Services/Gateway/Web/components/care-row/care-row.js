/**
 * A reminder in a list: a tick that says and does "done now", what it is, when it is due, whose turn it is. The rest of the row opens more.
 */

import { h, set, setText } from "../../page/dom.js";
import { setShape } from "../shape/shape.js";
import { createSymbol } from "../symbol/symbol.js";

/**
 * @typedef {object} CareRowModel
 * @property {string} key
 * @property {import("../../water/care-words.js").ItemWords} words
 * @property {'open' | 'done' | 'skipped'} state
 * @property {string} tickLabel
 * @property {(() => void) | null} tick Does it now, or takes that back; null: the person only looks.
 * @property {() => void} open
 */

/** @param {CareRowModel} first */
export function createCareRow(first) {
    let present = first;
    const face = h("span", { class: "care-tick-face" });
    const tick = h("button", { class: "care-tick", type: "button", onclick: () => present.tick?.() }, face);
    const name = h("span", { class: "care-name" });
    const detail = h("span", { class: "care-detail" });
    const shape = h("span", { class: "care-shape" });
    const when = h("span");
    const initial = h("span", { class: "care-initial" });
    const inside = h(
        "button",
        { class: "care-open", type: "button", onclick: () => present.open() },
        h("span", { class: "care-text", "aria-hidden": "true" }, name, detail),
        h("span", { class: "care-when", "aria-hidden": "true" }, shape, when, initial),
    );
    const element = h("li", { class: "care-row" }, tick, inside);
    let mark = "";

    return {
        element,
        /** @param {CareRowModel} model */
        update(model) {
            present = model;
            const { words, state } = model;
            set(element, "data-tone", words.tone);
            set(element, "data-state", state);
            const next = state === "open" ? "" : state === "done" ? "check" : "minus";
            if (next !== mark) {
                mark = next;
                face.replaceChildren(...next === "" ? [] : [createSymbol(next)]);
            }
            set(tick, "disabled", model.tick === null);
            set(tick, "aria-pressed", String(state !== "open"));
            set(tick, "aria-label", model.tickLabel);
            set(inside, "aria-label", words.spoken);
            setText(name, words.name);
            setText(detail, words.detail);
            setShape(shape, words.shape);
            setText(when, words.when);
            setText(initial, words.initial);
            set(initial, "hidden", words.initial === "");
        },
    };
}
