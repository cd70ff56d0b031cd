/**
 * A sentence above the tabs: it stays until it is answered if it has an action, else five seconds.
 */

import { h } from "../../page/dom.js";

/** @typedef {{text: string, press: () => void}} ToastAction */

/**
 * @typedef {object} ToastModel
 * @property {string} text
 * @property {ToastAction} [action]
 * @property {ToastAction} [more] Another one, beside it.
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
        show({ text, action, more }) {
            const toast = h("div", { class: "toast" }, h("p", null, text));
            const remove = () => toast.remove();
            for (const offered of [more, action]) {
                if (!offered) continue;
                toast.append(h("button", {
                    class: "toast-action",
                    type: "button",
                    onclick: () => {
                        remove();
                        offered.press();
                    },
                }, offered.text));
            }
            if (!action) setTimeout(remove, duration);
            // One at a time: the latest thing is what the person has just done.
            for (const old of [...element.children]) if (!old.querySelector("button")) old.remove();
            element.append(toast);
            return remove;
        },
    };
}
