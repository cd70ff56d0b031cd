/** A secret that nobody beside the person reads: hidden until it is touched, then shown to be selected or copied. */

import { h, set, setText } from "../../page/dom.js";

/**
 * @param {Pick<import("../../app/context.js").Context, "t" | "toast">} context
 * @param {string} name What it is, in words.
 * @param {string} secret
 */
export function createConcealed({ t, toast }, name, secret) {
    const text = h("span", { class: "concealed-text", dir: "ltr" }, "••••");
    const word = h("span", { class: "concealed-word" }, t("enrol.show"));
    const element = h("button", { class: "concealed", type: "button", "aria-label": t("enrol.show_name", { name }), onclick: press }, text, word);
    let isShown = false;

    async function press() {
        if (!isShown) {
            isShown = true;
            setText(text, secret);
            setText(word, t("common.copy"));
            set(element, "aria-label", `${name}: ${secret}. ${t("common.copy")}`);
            return;
        }
        try {
            await navigator.clipboard.writeText(secret);
            toast({ text: t("common.copied") });
        } catch {
            getSelection()?.selectAllChildren(text);
        }
    }

    return element;
}
