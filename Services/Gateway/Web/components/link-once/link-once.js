/** A link for others: as a QR code for somebody who stands there, and as a text to send. */

import { h } from "../../page/dom.js";
import { createButton } from "../button/button.js";
import { createQR } from "../qr/qr.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {string} link
 * @param {string} subject Under which it is sent.
 */
export function createLinkOnce({ t }, link, subject) {
    const text = h("p", { class: "link-once" }, link);
    const copy = createButton({
        text: t("common.copy"),
        kind: "primary",
        press: async () => {
            try {
                await navigator.clipboard.writeText(link);
                copy.setText(t("common.copied"));
            } catch {
                getSelection()?.selectAllChildren(text);
            }
        },
    });
    const send = typeof navigator.share === "function"
        ? createButton({ text: t("sharing.send"), press: () => navigator.share({ title: subject, url: link }).catch(() => {}) })
        : null;
    const code = createQR(link, t("sharing.code"));
    const buttons = h("div", { class: "buttons" }, copy.element, send?.element ?? null);
    return { elements: [code, text, buttons].filter((part) => part !== null), focus: () => copy.element.focus() };
}
