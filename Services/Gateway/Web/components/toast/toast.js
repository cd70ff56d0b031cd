/**
 * A sentence above the tabs: it stays until it is answered if it has an action, else five seconds.
 */

import { h } from "../../page/dom.js";

/**
 * @typedef {object} ToastModel
 * @property {string} text
 * @property {{text: string, press: () => void}} [action]
 */

const duration = 5_000;

export function createToasts() {
    // It stands before there is anything in it, so that readers hear what comes.
    const element = h("div", { class: "toasts", role: "status" });

    return {
        element,
        /**
         * @param {ToastModel} model
         * @returns {() => void} Takes it away.
         */
        show({ text, action }) {
            const toast = h("div", { class: "toast" }, h("p", null, text));
            const remove = () => toast.remove();
            if (action) {
                toast.append(h("button", {
                    class: "toast-action",
                    type: "button",
                    onclick: () => {
                        remove();
                        action.press();
                    },
                }, action.text));
            } else setTimeout(remove, duration);
            // One at a time: the latest thing is what the person has just done.
            for (const old of [...element.children]) if (!old.querySelector("button")) old.remove();
            element.append(toast);
            return remove;
        },
    };
}
