/**
 * A question before something that cannot be taken back. The button says what it does.
 */

import { h } from "../../page/dom.js";
import { uniqueID } from "../shape/shape.js";

/**
 * @typedef {object} Question
 * @property {string} title
 * @property {string} text
 * @property {string} action
 * @property {boolean} [isGrave] Whether something is lost.
 */

/**
 * @param {Question} question
 * @param {string} cancel
 * @returns {Promise<boolean>}
 */
export function ask({ title, text, action, isGrave = false }, cancel) {
    return new Promise((resolve) => {
        const id = uniqueID();
        const yes = h("button", { class: `button button-${isGrave ? "danger" : "primary"}`, type: "button" }, action);
        const no = h("button", { class: "button", type: "button", autofocus: true }, cancel);
        const element = h(
            "dialog",
            { class: "dialog", role: "alertdialog", "aria-labelledby": id, "aria-describedby": `${id}-text` },
            h("h2", { class: "name", id }, title),
            h("p", { id: `${id}-text` }, text),
            h("div", { class: "dialog-buttons" }, no, yes),
        );
        let answer = false;
        yes.addEventListener("click", () => {
            answer = true;
            element.close();
        });
        no.addEventListener("click", () => element.close());
        element.addEventListener("close", () => {
            element.remove();
            resolve(answer);
        });
        document.body.append(element);
        element.showModal();
    });
}
