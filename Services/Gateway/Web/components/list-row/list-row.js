/**
 * A row of a list: an icon or the shape of a state, a name with a line below it, a value, and where it leads.
 */

import { h, set, setText } from "../../page/dom.js";
import { createIcon, createShape, setShape } from "../shape/shape.js";
import { createSymbol } from "../symbol/symbol.js";

/**
 * @typedef {object} RowModel
 * @property {string} name
 * @property {string} [detail]
 * @property {readonly string[]} [more] Further lines below.
 * @property {string} [value]
 * @property {string} [icon] A symbol's name.
 * @property {import("../shape/shape.js").ShapeName} [shape]
 * @property {string} [href]
 * @property {() => void} [press]
 * @property {boolean} [isOpen] Whether it is about something that goes on.
 * @property {boolean} [isAction] Whether its name is what it does.
 * @property {boolean} [isGrave]
 * @property {import("../shape/shape.js").ShapeName} [mark] The shape of a state at the right.
 * @property {Node} [control] What stands at the right instead of a chevron.
 */

/** @param {RowModel} model */
export function createRow(model) {
    const { icon, shape, href, press, control, mark, more = [] } = model;
    const name = h("span", { class: "row-name" }, model.name);
    const detail = h("span", { class: "row-detail" }, model.detail ?? "");
    const text = h("span", { class: "row-text" }, name, detail);
    /** @type {HTMLElement[]} */
    const lines = [];
    setLines(more);
    const value = h("span", { class: "row-value" }, model.value ?? "");
    const lead = h("span", { class: "row-lead" }, icon ? createSymbol(icon) : null);
    if (shape) setShape(lead, shape);
    set(detail, "hidden", !model.detail);
    set(value, "hidden", model.value === undefined);
    const leads = href !== undefined || press !== undefined;
    const parts = [
        icon || shape ? lead : null,
        text,
        value,
        mark ? h("span", { class: "row-mark" }, createShape(mark)) : null,
        control ?? null,
        leads && !model.isAction ? createIcon("chevronRight", "icon-small row-chevron") : null,
    ];
    const className = `row${model.isOpen ? " row-open" : ""}${model.isAction ? " row-action" : ""}${
        model.isGrave ? " row-grave" : ""
    }`;
    const inside = href !== undefined
        ? h("a", { class: className, href }, ...parts)
        : press
        ? h("button", { class: className, type: "button", onclick: press }, ...parts)
        : h("div", { class: className }, ...parts);
    const element = h("li", { class: "row-place" }, inside);

    /** @param {readonly string[]} texts */
    function setLines(texts) {
        for (const line of lines.splice(texts.length)) line.remove();
        texts.forEach((words, index) => {
            if (!lines[index]) text.append(lines[index] = h("span", { class: "row-detail" }));
            setText(lines[index], words);
        });
    }

    return {
        element,
        inside,
        /** @param {Partial<Pick<RowModel, 'name' | 'detail' | 'more' | 'value' | 'shape' | 'href'>>} next What it has from the beginning on. */
        update(next) {
            if (next.href !== undefined) set(inside, "href", next.href);
            if (next.shape !== undefined) setShape(lead, next.shape);
            if (next.more) setLines(next.more);
            if (next.name !== undefined) setText(name, next.name);
            if (next.detail !== undefined) {
                setText(detail, next.detail);
                set(detail, "hidden", next.detail === "");
            }
            if (next.value !== undefined) {
                setText(value, next.value);
                set(value, "hidden", false);
            }
        },
    };
}

/**
 * Rows that are being read.
 * @param {number} count
 */
export function createBlankList(count) {
    return h(
        "ul",
        { class: "rows rows-blank surface", "aria-hidden": "true" },
        ...Array.from({ length: count }, () =>
            h(
                "li",
                { class: "row-place" },
                h(
                    "div",
                    { class: "row" },
                    h("span", { class: "row-text" }, h("span", { class: "skeleton row-blank-name" }), h("span", { class: "skeleton row-blank-detail" })),
                ),
            )),
    );
}

/**
 * A surface with rows.
 * @param {...(Node | null | false)} rows
 */
export function createList(...rows) {
    return h("ul", { class: "rows surface" }, ...rows);
}
