/**
 * Tanks where they stand, on a map or on a plan: a number each, with the shape of what is the matter. Those that would lie on each other are one
 * mark with their count, which lists them.
 */

import { crowdsOf, namesShown } from "../../drawing/crowds.js";
import { h, set, setText } from "../../page/dom.js";
import { createKeyed } from "../../page/keyed.js";
import { createList, createRow } from "../list-row/list-row.js";
import { setShape } from "../shape/shape.js";

/** @typedef {import("../../app/context.js").Context} Context */

/**
 * @typedef {object} Marked What stands somewhere.
 * @property {string} id
 * @property {string} name Below the mark, where there is room; empty: nowhere.
 * @property {string} value In the mark; empty: there is none, and its shape stands alone.
 * @property {import("../../water/overview.js").Mood} mood
 * @property {import("../shape/shape.js").ShapeName | null} shape
 * @property {string} word Its state.
 * @property {string} label All of it for readers.
 * @property {boolean} [isHere] Whether the value is of what is outside.
 * @property {boolean} [isOld] Whether there is no connection.
 * @property {boolean} [isSite] Whether it is a place without a device, which has corners.
 */

/** @typedef {Marked & {x: number, y: number}} Mark In CSS pixels from the upper left corner of the window. */
/** @typedef {{id: string, mark: Mark, marks: readonly Mark[], hasName: boolean}} Crowd */

/**
 * @param {Context} context
 * @param {object} parts
 * @param {string} [parts.className]
 * @param {(id: string) => string} parts.href Where a mark leads.
 * @param {(id: string) => void} [parts.open] It was followed.
 */
export function createPlaceMarks(context, { className = "", href, open = () => {} }) {
    const { t } = context;
    const element = h("ul", { class: `place-marks ${className}`.trim() });
    const update = createKeyed(element, (/** @type {Crowd} */ { id }) => id, ({ marks }) => marks.length === 1 ? createMark() : createCrowd());

    function createMark() {
        let id = "";
        const link = h("a", { class: "place-mark", draggable: "false", onclick: (/** @type {Event} */ event) => event.defaultPrevented || open(id) });
        const parts = createParts(link);
        return {
            element: parts.element,
            /** @param {Crowd} crowd */
            update(crowd) {
                const { mark } = crowd;
                id = mark.id;
                set(link, "href", href(id));
                parts.show(mark, mark.value, mark.label, crowd.hasName ? mark.name : "");
            },
        };
    }

    function createCrowd() {
        /** @type {readonly Mark[]} */
        let marks = [];
        const button = h("button", {
            class: "place-mark",
            type: "button",
            "aria-haspopup": "dialog",
            onclick: (/** @type {Event} */ event) => event.defaultPrevented || list(marks),
        });
        const parts = createParts(button);
        return {
            element: parts.element,
            /** @param {Crowd} crowd */
            update(crowd) {
                marks = crowd.marks;
                const count = marks.length;
                parts.show(crowd.mark, t("tanks.crowd", { count }), t("tanks.crowd_label", { count, first: crowd.mark.label }), "");
            },
        };
    }

    /** @param {readonly Mark[]} marks */
    function list(marks) {
        const rows = marks.map(({ id, name, label, word, value, shape }) =>
            createRow({
                name: name === "" ? label : name,
                detail: word,
                value,
                shape: shape ?? "fine",
                press() {
                    sheet.close();
                    open(id);
                    void context.navigate(href(id));
                },
            }).element
        );
        const sheet = context.sheet({ title: t("tanks.crowd_title", { count: marks.length }), body: [createList(...rows)] });
    }

    return {
        element,
        /**
         * @param {readonly Mark[]} marks Those in front first.
         * @param {{width: number, height: number}} size Of the window: what lies outside is left out, and has to be listed elsewhere.
         */
        update(marks, size) {
            const inside = marks.filter(({ x, y }) => x >= 0 && y >= 0 && x <= size.width && y <= size.height);
            const crowds = crowdsOf(inside);
            const named = namesShown(
                crowds.map(([{ x, y, value, name }, ...others]) =>
                    others.length > 0 ? { x, y, text: t("tanks.crowd", { count: others.length + 1 }), name: "" } : { x, y, text: value, name }
                ),
                size,
            );
            update(crowds.map((crowd, index) => ({
                id: crowd.length > 1 ? `${crowd[0].id} and more` : crowd[0].id,
                mark: crowd[0],
                marks: crowd,
                hasName: named[index],
            })));
            // Where marks touch, the one that matters more is on top.
            [...element.children].forEach((item, index) => /** @type {HTMLElement} */ (item).style.zIndex = String(crowds.length - index));
        },
    };
}

/**
 * The common parts of marks: a shape, a number, and a name below.
 * @param {HTMLElement} inside
 */
function createParts(inside) {
    const shape = h("span", { class: "place-shape" });
    const value = h("span", { class: "place-value" });
    const name = h("span", { class: "place-name", "aria-hidden": "true" });
    inside.append(shape, value);
    const element = h("li", null, inside, name);
    return {
        element,
        /**
         * @param {Mark} mark
         * @param {string} text
         * @param {string} label
         * @param {string} below
         */
        show(mark, text, label, below) {
            element.style.transform = `translate(${mark.x.toFixed(1)}px, ${mark.y.toFixed(1)}px)`;
            set(element, "data-mood", mark.mood);
            set(element, "data-here", mark.isHere ?? false);
            set(element, "data-old", mark.isOld ?? false);
            set(element, "data-site", mark.isSite ?? false);
            set(inside, "aria-label", label);
            setShape(shape, mark.shape);
            setText(value, text === "" && mark.shape === null ? "–" : text);
            setText(name, below === "" ? mark.name : below);
            set(name, "data-shown", below !== "");
        },
    };
}
