/** A proposed limit in the list: its name and range, why it is so, and with a shape what it would have told. */

import { createShape, setShape } from "../../components/shape/shape.js";
import { h, set, setText } from "../../page/dom.js";

/** @typedef {import("../../water/headline.js").ShapeName} ShapeName */

/**
 * @typedef {object} LimitRowModel
 * @property {string} range
 * @property {readonly string[]} lines Why it is so, and what becomes of it.
 * @property {string} clash Who cannot live together; empty where all can.
 * @property {string} told What it would have told; empty while nobody knows.
 * @property {ShapeName} shape Of what it would have told.
 * @property {boolean} isAlarming Whether it would have told something.
 */

/** @param {{name: string, press: () => void}} model */
export function createLimitRow({ name, press }) {
    const range = h("span");
    const lines = h("span", { class: "questions-lines" });
    const mark = h("span", { class: "questions-mark" });
    const words = h("span");
    const told = h("span", { class: "questions-told row-detail" }, mark, words);
    const element = h(
        "li",
        { class: "row-place" },
        h("button", { class: "row questions-limit", type: "button", onclick: press }, h("span", { class: "questions-name" }, name), range, lines, told),
    );
    return {
        element,
        /** @param {LimitRowModel} next */
        update(next) {
            setText(range, next.range);
            lines.replaceChildren(...next.lines.map((line) => h("span", { class: "row-detail" }, line)));
            if (next.clash !== "") lines.append(h("span", { class: "row-detail questions-clash" }, createShape("late"), h("span", null, next.clash)));
            setText(words, next.told);
            setShape(mark, next.shape);
            set(mark, "data-alarming", next.isAlarming);
            set(told, "hidden", next.told === "");
        },
    };
}
