/**
 * A sheet from the lower edge; on the desktop a dialog in the middle. The page behind it is out of reach while it is open.
 */

import { h } from "../../page/dom.js";
import { uniqueID } from "../shape/shape.js";
import { createSymbol } from "../symbol/symbol.js";

/**
 * @typedef {object} SheetModel
 * @property {string} title
 * @property {string} [lead] A sentence below the title.
 * @property {(Node | null)[]} body
 * @property {() => void} [onClose]
 */

/** @typedef {{element: HTMLDialogElement, close: () => void}} Sheet */

/** Those that are open, the topmost last. @type {Sheet[]} */
const opened = [];

/**
 * Closes the topmost sheet, as a step back does.
 * @returns {boolean} Whether there was one.
 */
export function closeTopmost() {
    const top = opened.at(-1);
    top?.close();
    return top !== undefined;
}

/**
 * @param {SheetModel} model
 * @param {string} closeLabel
 * @returns {Sheet}
 */
export function openSheet({ title, lead, body, onClose }, closeLabel) {
    const id = uniqueID();
    const element = h(
        "dialog",
        { class: "sheet", "aria-labelledby": id },
        h(
            "div",
            { class: "sheet-inside" },
            h(
                "header",
                { class: "sheet-head" },
                h("h2", { class: "title", id, tabindex: "-1" }, title),
                h("button", { class: "icon-button", type: "button", "aria-label": closeLabel, onclick: close }, createSymbol("close")),
            ),
            lead ? h("p", { class: "sheet-lead quiet" }, lead) : null,
            ...body,
        ),
    );
    let isClosing = false;

    function close() {
        if (isClosing) return;
        isClosing = true;
        opened.splice(opened.indexOf(sheet), 1);
        element.dataset.closing = "";
        const animations = element.getAnimations?.() ?? [];
        Promise.allSettled(animations.map((animation) => animation.finished)).then(() => element.close());
    }

    element.addEventListener("cancel", (event) => {
        event.preventDefault();
        close();
    });
    // The scrim belongs to the dialog's element; what is inside has an element of its own.
    let isPressedOutside = false;
    element.addEventListener("pointerdown", (event) => isPressedOutside = event.target === element);
    element.addEventListener("click", (event) => {
        if (event.target === element && isPressedOutside) close();
    });
    element.addEventListener("close", () => {
        element.remove();
        onClose?.();
    });
    /** @type {Sheet} */
    const sheet = { element, close };
    opened.push(sheet);
    document.body.append(element);
    element.showModal();
    if (!element.querySelector("[autofocus]")) element.querySelector("h2")?.focus();
    return sheet;
}
