/** The accounts of the installation, found by the beginning of their addresses; each can be signed out everywhere. For operators. */

import { mountFound } from "./found.js";
import { accountRow } from "./rows.js";

/** @typedef {import("./rows.js").OperatedAccount} OperatedAccount */

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, api } = context;
    const found = mountFound(root, context, {
        title: t("operation.accounts"),
        path: "/operation/accounts",
        field: { label: t("operation.find_account"), name: "email", maxlength: 254 },
        row: (/** @type {OperatedAccount} */ account) => ({ ...accountRow(account, context), press: account.sessions > 0 ? () => void signOut(account) : undefined }),
    });

    /** @param {OperatedAccount} account */
    async function signOut({ email }) {
        const agrees = await context.confirm({
            title: t("operation.signOut_title", { name: email }),
            text: t("operation.signOut_text"),
            action: t("operation.signOut"),
            isGrave: true,
        });
        if (!agrees) return;
        try {
            const { data } = await api.post("/operation/sign-out", { email });
            context.toast({ text: t("operation.signOut_done", { count: data.sessions }) });
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
        found.begin();
    }

    return found;
}
