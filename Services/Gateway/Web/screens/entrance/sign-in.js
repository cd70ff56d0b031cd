/** Signing in: two fields and one button, over a still line. */

import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { createProblem, createStartPage } from "../../components/page/page.js";
import { createMark } from "../../components/symbol/symbol.js";
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

    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (button.isBusy) return;
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

    const page = createStartPage({ top: createMark(), title: "AquaMonitor", lead: t("start.tagline") });
    page.body.append(form, h("div", { class: "links" }, signUp, forgot), createLanguageChoice(context));
    root.replaceChildren(...page.parts);
    // Where nobody may open an account, or has a new password sent, there is no way to it.
    api.get("/service", { anonymous: true }).then(({ data }) => {
        signUp.hidden = data.signUp === "closed";
        resets = data.resetsPasswords === true;
    }, () => {}).then(() => {
        forgot.hidden = !resets;
        forgot.classList.remove("start-unknown");
    });
    return { unmount() {} };
}
