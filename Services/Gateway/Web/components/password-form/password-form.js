/** A form that asks for the present password and does something with it. */

import { h } from "../../page/dom.js";
import { createField } from "../field/field.js";
import { createForm } from "../form/form.js";

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
    return createForm(context, {
        fields: [{ name: "password", field: password }],
        hidden: [email],
        text,
        busyText,
        kind,
        submit: () => send(password.value),
        faultOf: ({ code, title }) => code === "wrong-password" ? { name: "password", what: title } : null,
    });
}
