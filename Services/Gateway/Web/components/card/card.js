/**
 * One parameter of the home screen: ring, name, state and age, the last hours. The whole card is one link; while the order
 * is edited it has a handle.
 */

import { setInk } from "../../drawing/ink.js";
import { h, set, setText } from "../../page/dom.js";
import { createRing } from "../ring/ring.js";
import { createIcon, setShape } from "../shape/shape.js";
import { createSparkline } from "../sparkline/sparkline.js";

/**
 * @typedef {object} CardModel
 * @property {string} name What the card is called.
 * @property {string} label All of it in words, for readers.
 * @property {string} href
 * @property {boolean} isCurrent Whether its details are open beside the list.
 * @property {import("../../water/headline.js").GaugeState} state
 * @property {import("../shape/shape.js").ShapeName} [shape] In the place of the state's own.
 * @property {boolean} isOld
 * @property {string} word The state in a word; empty when fine.
 * @property {boolean} isAnswered Whether somebody is on it, which stands in the place of the age.
 * @property {string} age How long ago it was read, or since when it was not.
 * @property {string} colour
 * @property {string} handleLabel
 * @property {import("../ring/ring.js").RingModel} ring
 * @property {import("../sparkline/sparkline.js").SparklineModel} sparkline
 */

/** @type {Partial<Record<import("../../water/headline.js").GaugeState, import("../shape/shape.js").ShapeName>>} */
const shapes = { low: "low", high: "high", fault: "fault", silent: "silent" };

export function createCard() {
    const ring = createRing();
    const sparkline = createSparkline();
    const name = h("h2", { class: "card-name" });
    const shape = h("span", { class: "card-shape" });
    const word = h("span", { class: "card-word" });
    const who = h("span", { class: "card-shape" });
    const age = h("span", { class: "card-age" });
    const what = h("span", { class: "card-what" }, shape, word);
    const when = h("span", { class: "card-when" }, who, age);
    const head = h("div", { class: "card-head" }, name, h("span", { class: "card-state" }, what, when));
    const body = h("div", { class: "card-body" }, head, sparkline.element);
    const link = h("a", { class: "card-link", draggable: "false" }, ring.element, body);
    const handle = h("button", { class: "card-handle icon-button", type: "button", hidden: true }, createIcon("handle"));
    const element = h("li", { class: "card" }, link, handle);

    return {
        element,
        link,
        handle,
        ring: ring.element,
        body,
        /** @param {CardModel} model */
        update(model) {
            setInk(element, model.colour);
            set(element, "data-state", model.state);
            set(element, "data-old", model.isOld);
            set(element, "data-answered", model.isAnswered);
            set(link, "href", model.href);
            set(link, "aria-label", model.label);
            set(link, "aria-current", model.isCurrent ? "true" : null);
            set(handle, "aria-label", model.handleLabel);
            setText(name, model.name);
            setShape(shape, model.shape ?? shapes[model.state] ?? null);
            setText(word, model.word);
            setShape(who, model.isAnswered ? "answered" : null);
            setText(age, model.age);
            ring.update(model.ring);
            sparkline.update(model.sparkline);
        },
        /** @param {boolean} isEdited Whether the order is being edited. */
        edit(isEdited) {
            set(handle, "hidden", !isEdited);
            set(element, "data-edited", isEdited);
        },
    };
}

/**
 * The empty shape of a card, of the same height: while nothing is known, or where there is no device yet.
 * @param {'loading' | 'ghost'} kind
 */
export function createBlankCard(kind) {
    const ring = createRing();
    ring.update({ share: null, side: null, isOld: kind === "ghost", value: "", unit: "" });
    return h(
        "li",
        { class: `card card-blank card-${kind}`, "aria-hidden": "true" },
        h(
            "div",
            { class: "card-link" },
            ring.element,
            h(
                "div",
                { class: "card-body" },
                h("div", { class: "card-head" }, h("span", { class: "skeleton card-blank-name" })),
                h("div", { class: "skeleton card-blank-box" }),
            ),
        ),
    );
}
