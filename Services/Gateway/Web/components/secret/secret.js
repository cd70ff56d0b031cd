/** A secret that is shown this once. */

import { h } from "../../page/dom.js";
import { createButton } from "../button/button.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {string} secret
 * @param {string} text
 */
export function showSecret(context, secret, text) {
    const { t } = context;
    const shown = h("p", { class: "secret" }, secret);
    const copy = createButton({
        text: t("common.copy"),
        kind: "primary",
        press: async () => {
            try {
                await navigator.clipboard.writeText(secret);
                copy.setText(t("common.copied"));
            } catch {
                getSelection()?.selectAllChildren(shown);
            }
        },
    });
    context.sheet({ title: t("notifications.secret"), lead: text, body: [shown, copy.element] });
}
