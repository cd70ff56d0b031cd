/**
 * Asks a person to prove themselves once more, before something that would outlast the session: what was asked for is then asked for again.
 * By the password, or to the house's provider, to which the browser goes.
 */

import { createButton } from "../components/button/button.js";
import { createProblem } from "../components/page/page.js";
import { createPasswordForm } from "../components/password-form/password-form.js";
import { provesByPassword, provesByProvider, readWaysIn } from "./provider.js";

/**
 * @param {import("./context.js").Context} context
 * @returns {Promise<boolean>} Whether the person did.
 */
export async function askForProof(context) {
    const { t, api } = context;
    // Without an answer the password is asked for, whose answer says what is wrong.
    const ways = await readWaysIn(context).catch(() => null);
    const takesPassword = ways === null || provesByPassword(ways) || !provesByProvider(ways);
    return await new Promise((resolve) => {
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
            title: t(takesPassword ? "account.proof" : "account.proof_provider"),
            lead: t("account.proof_text"),
            body: [
                ...(takesPassword ? [form] : []),
                ...(ways?.provider && provesByProvider(ways) ? offerProvider(context, ways.provider, !takesPassword) : []),
            ],
            onClose: () => resolve(isProven),
        });
    });
}

/**
 * @param {import("./context.js").Context} context
 * @param {string} name
 * @param {boolean} isPrimary
 */
function offerProvider(context, name, isPrimary) {
    const { t, api } = context;
    const problem = createProblem();
    const button = createButton({
        text: t("account.proof_by", { name }),
        busyText: t("start.signingIn"),
        kind: isPrimary ? "primary" : "outlined",
        async press() {
            problem.show("");
            try {
                const { data } = await api.post("/sessions/proof/provider", { path: location.pathname });
                location.assign(data.address);
            } catch (error) {
                problem.show(context.explain(error));
            }
        },
    });
    return [problem.element, button.element];
}
