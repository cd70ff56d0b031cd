/** A new password for whoever has the link of the mail. Every session ends by it, this browser's too. */

import { dropLinkToken, followLink, linkToken } from "../../app/link-token.js";
import { focusHeading } from "../../app/router.js";
import { createForm } from "../../components/form/form.js";
import { createStartPage } from "../../components/page/page.js";
import { createNewPassword } from "../../components/password-form/new-password.js";
import { createMark } from "../../components/symbol/symbol.js";
import { h } from "../../page/dom.js";
import { isProblem } from "../../words/problem.js";
import { createLanguageChoice } from "./language.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, api, session } = context;
    context.title(t("start.reset"));
    const token = linkToken();
    const page = createStartPage({ top: createMark(), title: t("start.reset"), lead: t("start.reset_lead") });
    const password = createNewPassword(context, { label: t("account.password_new"), name: "new-password" });
    const form = createForm(context, {
        fields: [{ name: "newPassword", field: password.field }],
        text: t("start.reset_do"),
        busyText: t("common.saving"),
        isLarge: true,
        async submit() {
            if (!password.isLong()) return;
            try {
                await api.post("/password-resets/completion", { token, newPassword: password.field.value }, { anonymous: true });
                await done();
            } catch (error) {
                if (!isProblem(error) || error.code !== "reset-expired") throw error;
                end({ lead: context.explain(error), href: "/forgot-password", link: t("start.reset_again") });
            }
        },
    });

    async function done() {
        // Forgets the session, which has ended at the service, also where nobody answers.
        if (session.state.value === "in") await session.signOut().catch(() => session.ended());
        page.headline.textContent = t("start.reset_done");
        end({ lead: t("start.reset_doneText"), href: "/sign-in", link: t("start.signIn") });
    }

    /**
     * The link leads no further.
     * @param {{lead: string, href: string, link: string}} next
     */
    function end({ lead, href, link }) {
        dropLinkToken();
        page.lead.textContent = lead;
        page.body.replaceChildren(h("a", { class: "button button-primary button-large", href }, link));
        focusHeading(root);
    }

    page.body.append(form, createLanguageChoice(context));
    root.replaceChildren(...page.parts);
    if (token === "") end({ lead: t("common.incomplete"), href: "/forgot-password", link: t("start.reset_again") });
    return { unmount: followLink(context.remount) };
}
