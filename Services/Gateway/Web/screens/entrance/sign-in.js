/** Signing in: two fields and one button, over a still line; and the house's own provider, where there is one. */

import { dropLinkToken, linkToken } from "../../app/link-token.js";
import { wayToProvider } from "../../app/provider.js";
import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { createProblem, createStartPage } from "../../components/page/page.js";
import { createMark } from "../../components/symbol/symbol.js";
import { brand } from "../../lang/languages.js";
import { h } from "../../page/dom.js";
import { isProblem } from "../../words/problem.js";
import { carryAddress, createAddress } from "./address.js";
import { createLanguageChoice } from "./language.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, api, session } = context;
    context.title(t("start.signIn"));
    const email = createAddress(context);
    const password = createField({
        label: t("start.password"),
        name: "password",
        type: "password",
        autocomplete: "current-password",
        reveal: { show: t("start.show"), hide: t("start.hide") },
    });
    const problem = createProblem();
    const button = createButton({
        text: t("start.signIn"),
        busyText: t("start.signingIn"),
        kind: "primary",
        isLarge: true,
        isSubmit: true,
    });
    const signUp = h("a", { href: "/sign-up" }, t("start.newHere"));
    // Its place is kept until it is known whether it leads anywhere.
    const forgot = h("a", { class: "start-unknown", href: "/forgot-password", onclick: () => carryAddress(email.text) }, t("start.forgot_link"));
    let resets = false;
    const form = h("form", { class: "form", novalidate: true }, email.field.element, password.element, problem.element, button.element);
    /** What the provider led back with. */
    const returned = createProblem();
    const told = h("p", { class: "start-note", role: "status", hidden: true });
    const provider = h("div", { class: "start-provider", hidden: true });

    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (button.isBusy) return;
        dropLinkToken();
        returned.show("");
        problem.show("");
        if (!email.isThere()) return;
        if (password.value === "") {
            password.setFault({ what: t("start.password_missing") });
            return password.focus();
        }
        button.setBusy(true);
        try {
            await session.signIn(email.text, password.value);
        } catch (error) {
            if (isProblem(error) && error.code === "wrong-credentials") {
                password.setFault({ what: error.title, todo: error.detail || t(resets ? "start.forgot_mail" : "start.forgot") });
                password.focus();
            } else problem.show(context.explain(error));
        } finally {
            button.setBusy(false);
        }
    });

    const page = createStartPage({ top: createMark(), title: brand.name, lead: t("start.tagline") });
    page.body.append(told, returned.element, form, h("div", { class: "links" }, signUp, forgot), provider, createLanguageChoice(context));
    root.replaceChildren(...page.parts);
    // Where nobody may open an account, or has a new password sent, there is no way to it.
    api.get("/service", { anonymous: true }).then(({ data }) => {
        signUp.hidden = data.signUp === "closed";
        resets = data.resetsPasswords === true;
        if (data.provider) offer(data.provider, data.takesPasswords !== false);
    }, () => {}).then(() => {
        forgot.hidden = !resets;
        forgot.classList.remove("start-unknown");
    });
    tellReturn();
    return { unmount() {} };

    /**
     * @param {string} name What people call the provider.
     * @param {boolean} takesPasswords Whether they let in, too; where they do not, the operator may make a way back in by one.
     */
    function offer(name, takesPasswords) {
        const link = h("a", {
            class: `button button-large button-${takesPasswords ? "outlined" : "primary"}`,
            href: wayToProvider(context.preferences.client, Intl.DateTimeFormat().resolvedOptions().timeZone),
        }, t("start.provider", { name }));
        const open = createButton({ text: t("start.provider_password"), kind: "text", isLarge: true, press: () => show(true) }).element;
        /** @param {boolean} isShown */
        function show(isShown) {
            form.hidden = !isShown;
            open.hidden = isShown;
            if (isShown && !takesPasswords) email.field.focus();
        }
        show(takesPasswords);
        provider.replaceChildren(link, open);
        provider.hidden = false;
    }

    /** Why the provider led back with nothing, or that the person is signed out there. */
    async function tellReturn() {
        const why = linkToken();
        if (why === "") return;
        const { sentenceOfReturn } = await t.along(import("../../app/provider-return.js"));
        const sentence = sentenceOfReturn(t, why);
        if (why !== "signedOut") return returned.show(sentence);
        told.hidden = false;
        told.textContent = sentence;
    }
}
