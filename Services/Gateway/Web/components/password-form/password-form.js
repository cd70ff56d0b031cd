/** A form that asks for the present password and does something with it. */

import { h } from "../../page/dom.js";
import { isProblem } from "../../words/problem.js";
import { createButton } from "../button/button.js";
import { createField } from "../field/field.js";
import { createProblem } from "../page/page.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} act
 * @param {string} act.text What the button does.
 * @param {string} act.busyText
 * @param {'primary' | 'danger'} act.kind
 * @param {(password: string) => Promise<void>} act.send A wrong password is told at the field, anything else below it.
 */
export function createPasswordForm(context, { text, busyText, kind, send }) {
    const { t, store } = context;
    // By it a password manager knows whose password is asked for.
    const email = h("input", { type: "text", name: "email", autocomplete: "username", value: store.account.value?.email ?? "", hidden: true });
    const password = createField({
        label: t("account.password_current"),
        name: "password",
        type: "password",
        autocomplete: "current-password",
        reveal: { show: t("start.show"), hide: t("start.hide") },
    });
    password.input.setAttribute("autofocus", "");
    const problem = createProblem();
    const button = createButton({ text, busyText, kind, isSubmit: true });
    const form = h("form", { class: "form", novalidate: true }, email, password.element, problem.element, button.element);
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (button.isBusy) return;
        problem.show("");
        button.setBusy(true);
        try {
            await send(password.value);
        } catch (error) {
            const fault = isProblem(error) ? error.faultOf("password") : null;
            if (isProblem(error) && error.code === "wrong-password") password.setFault({ what: error.title });
            else if (fault) password.setFault({ what: fault.detail });
            else problem.show(context.explain(error));
        } finally {
            button.setBusy(false);
        }
    });
    return form;
}
