/**
 * Asks for the password once more, before something that would outlast the session: what was asked for is then asked for again.
 */

import { createPasswordForm } from "../components/password-form/password-form.js";

/**
 * @param {import("./context.js").Context} context
 * @returns {Promise<boolean>} Whether the person gave it.
 */
export function askForPassword(context) {
    const { t, api } = context;
    return new Promise((resolve) => {
        let isProven = false;
        const form = createPasswordForm(context, {
            text: t("account.proof_do"),
            busyText: t("account.proof_busy"),
            kind: "primary",
            async send(password) {
                await api.post("/sessions/proof", { password });
                isProven = true;
                sheet.close();
            },
        });
        const sheet = context.sheet({
            title: t("account.proof"),
            lead: t("account.proof_text"),
            body: [form],
            onClose: () => resolve(isProven),
        });
    });
}
