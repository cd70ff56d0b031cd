/** The bar of a question: a way back, which question it is, and a way past it. */

import { createIcon } from "../../components/shape/shape.js";
import { h, set, setText } from "../../page/dom.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {{back: () => void, skip: () => void}} model
 */
export function createQuestionBar({ t }, { back, skip }) {
    const tank = h("p", { class: "questions-tank" }, "");
    const below = h("p", null, "");
    const past = h("button", { class: "questions-skip", type: "button", onclick: skip }, t("questions.skip"));
    const marks = h("div", { class: "questions-marks", "aria-hidden": "true" });
    const element = h(
        "header",
        { class: "air page-bar" },
        h(
            "div",
            { class: "screen-bar" },
            h("button", { class: "icon-button back", type: "button", "aria-label": t("common.back"), onclick: back }, createIcon("back")),
            h("div", { class: "screen-bar-name" }, tank, below),
            past,
        ),
        marks,
    );
    return {
        element,
        /** @param {string} name Of the tank. */
        setName: (name) => setText(tank, name),
        /**
         * @param {{first: number, last: number, count: number} | null} place null: all questions are answered.
         */
        update(place) {
            set(past, "hidden", place === null);
            set(marks, "hidden", place === null);
            if (place === null) return setText(below, "");
            const { first, last, count } = place;
            setText(below, first === last ? t("questions.place_one", { number: first, count }) : t("questions.place_two", { first, last, count }));
            marks.replaceChildren(...Array.from({ length: count }, (_, index) => h("span", { "data-done": index < last })));
        },
    };
}
