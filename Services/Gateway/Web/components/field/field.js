/**
 * A field of a form: label above, what is wrong with what to do about it below. Pasting and password managers are welcome.
 */

import { h, set, setText } from "../../page/dom.js";
import { createShape, setShape, uniqueID } from "../shape/shape.js";
import { createSymbol } from "../symbol/symbol.js";

/**
 * @typedef {object} FieldModel
 * @property {string} label
 * @property {string} name
 * @property {'text' | 'email' | 'password' | 'url' | 'tel' | 'time' | 'date' | 'datetime-local'} [type]
 * @property {string} [value]
 * @property {AutoFill} [autocomplete]
 * @property {string} [inputmode]
 * @property {string} [placeholder]
 * @property {number} [maxlength]
 * @property {number} [rows] Of a text of several lines, how many are in sight.
 * @property {boolean} [isCode] Whether it is spelled letter by letter: no corrections, wide letters.
 * @property {{show: string, hide: string}} [reveal] The names of the button that shows a password.
 * @property {() => void} [onInput]
 */

/** @typedef {ReturnType<typeof createField>} Field */

/** @param {FieldModel} model */
export function createField(model) {
    const id = uniqueID();
    // Both have what is used of either here.
    const input = /** @type {HTMLInputElement} */ (h(model.rows ? "textarea" : "input", {
        id,
        class: `field-input${model.isCode ? " field-code" : ""}${model.rows ? " field-lines" : ""}`,
        name: model.name,
        type: model.rows ? null : model.type ?? "text",
        rows: model.rows,
        autocomplete: model.autocomplete ?? "off",
        inputmode: model.inputmode,
        placeholder: model.placeholder,
        maxlength: model.maxlength,
        autocapitalize: model.isCode || model.type || model.rows ? "off" : null,
        autocorrect: model.isCode || model.type || model.rows ? "off" : null,
        spellcheck: "false",
        "aria-describedby": `${id}-hint ${id}-fault`,
    }));
    input.value = model.value ?? "";
    const mark = h("span", { class: "field-mark", hidden: true }, createShape("fault"));
    const reveal = model.reveal ? createReveal(input, model.reveal) : null;
    const hintShape = h("span", { hidden: true });
    const hintText = h("span");
    const hint = h("p", { class: "field-hint quiet", id: `${id}-hint`, hidden: true }, hintShape, hintText);
    const what = h("strong");
    const todo = h("span");
    const fault = h("p", { class: "field-fault", id: `${id}-fault`, role: "status" }, what, todo);
    const element = h(
        "div",
        { class: "field" },
        h("label", { class: "field-label", for: id }, model.label),
        h("div", { class: "field-box" }, input, mark, reveal),
        hint,
        fault,
    );
    input.addEventListener("input", () => {
        setFault(null);
        model.onInput?.();
    });

    /** @param {{what: string, todo?: string} | null} next */
    function setFault(next) {
        set(element, "data-fault", next !== null);
        set(input, "aria-invalid", next ? "true" : null);
        set(mark, "hidden", next === null);
        setText(what, next?.what ?? "");
        setText(todo, next?.todo ?? "");
    }

    return {
        element,
        input,
        get value() {
            return input.value;
        },
        set value(next) {
            input.value = next;
        },
        setFault,
        /**
         * @param {string} text
         * @param {boolean} [isMet] Whether what it asks for is there.
         */
        setHint(text, isMet = false) {
            set(hint, "hidden", text === "");
            setText(hintText, text);
            set(hintShape, "hidden", !isMet);
            setShape(hintShape, isMet ? "fine" : null);
        },
        focus: () => input.focus(),
    };
}

/**
 * @param {HTMLInputElement} input
 * @param {{show: string, hide: string}} names
 */
function createReveal(input, names) {
    const icons = [createSymbol("eye"), createSymbol("eyeOff")];
    const button = h("button", { class: "field-reveal icon-button", type: "button", "aria-label": names.show }, icons[0]);
    button.addEventListener("click", () => {
        const isShown = input.type === "password";
        input.type = isShown ? "text" : "password";
        set(button, "aria-label", isShown ? names.hide : names.show);
        button.replaceChildren(icons[isShown ? 1 : 0]);
    });
    return button;
}
