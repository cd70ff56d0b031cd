/** Signing in: two fields and one button, over a still line. */

import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { createProblem } from "../../components/page/page.js";
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
    context.title(t("start.signIn"));
    const email = createField({
        label: t("start.email"),
        name: "email",
        type: "email",
        autocomplete: "username",
        inputmode: "email",
    });
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
    const form = h("form", { class: "form", novalidate: true }, email.element, password.element, problem.element, button.element);

    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (button.isBusy) return;
        problem.show("");
        if (!/.@./.test(email.value.trim())) {
            email.setFault({ what: t("start.email_missing"), todo: t("start.email_todo") });
            return email.focus();
        }
        if (password.value === "") {
            password.setFault({ what: t("start.password_missing") });
            return password.focus();
        }
        button.setBusy(true);
        try {
            await session.signIn(email.value.trim(), password.value);
        } catch (error) {
            if (isProblem(error) && error.code === "wrong-credentials") {
                password.setFault({ what: error.title, todo: error.detail || t("start.forgot") });
                password.focus();
            } else problem.show(context.explain(error));
        } finally {
            button.setBusy(false);
        }
    });

    root.replaceChildren(
        h(
            "div",
            { class: "air start-air" },
            h(
                "div",
                { class: "column" },
                createMark(),
                h("h1", { class: "headline", tabindex: "-1" }, "AquaMonitor"),
                h("p", { class: "quiet" }, t("start.tagline")),
            ),
        ),
        h(
            "div",
            { class: "water start-water" },
            h("div", { class: "column" }, form, h("div", { class: "links" }, signUp), createLanguageChoice(context)),
        ),
    );
    // Where nobody may open an account there is no way to it.
    api.get("/service", { anonymous: true }).then(({ data }) => signUp.hidden = data.signUp === "closed", () => {});
    return { unmount() {} };
}
