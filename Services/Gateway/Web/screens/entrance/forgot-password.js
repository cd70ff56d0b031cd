/** A forgotten password: a link to set a new one is sent, if there is an account, which nobody learns here. */

import { focusHeading } from "../../app/router.js";
import { createButton } from "../../components/button/button.js";
import { createForm } from "../../components/form/form.js";
import { createBack, createStartPage } from "../../components/page/page.js";
import { h } from "../../page/dom.js";
import { carriedAddress, carryAddress, createAddress } from "./address.js";
import { createLanguageChoice } from "./language.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, api } = context;
    context.title(t("start.forgot_link"));
    const page = createStartPage({ top: createBack(context, "/sign-in"), title: "" });

    function ask() {
        const email = createAddress(context, carriedAddress());
        const form = createForm(context, {
            fields: [{ name: "email", field: email.field }],
            text: t("start.forgot_do"),
            busyText: t("start.forgot_doing"),
            isLarge: true,
            async submit() {
                if (!email.isThere()) return;
                const { data } = await api.post("/password-resets", { email: email.text }, { anonymous: true });
                carryAddress(email.text);
                confirm(data.email);
            },
        });
        page.headline.textContent = t("start.forgot_link");
        page.lead.textContent = t("start.forgot_lead");
        page.body.replaceChildren(form, createLanguageChoice(context));
        return form;
    }

    /** @param {string} email */
    function confirm(email) {
        page.headline.textContent = t("start.forgot_sent");
        page.lead.textContent = t("start.forgot_sentText", { email });
        page.body.replaceChildren(
            h("a", { class: "button button-primary button-large", href: "/sign-in" }, t("start.toSignIn")),
            createButton({ text: t("start.forgot_again"), kind: "text", isLarge: true, press: again }).element,
        );
        focusHeading(root);
    }

    function again() {
        ask();
        focusHeading(root);
    }

    const form = ask();
    root.replaceChildren(...page.parts);
    api.get("/service", { anonymous: true }).then(({ data }) => {
        if (data.resetsPasswords) return;
        form.hidden = true;
        page.lead.textContent = t("start.forgot");
    }, () => {});
    return { unmount() {} };
}
