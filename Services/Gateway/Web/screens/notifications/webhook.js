/** A program of the person's that takes signed messages. */

import { createField } from "../../components/field/field.js";
import { createForm } from "../../components/form/form.js";
import { showSecret } from "../../components/secret/secret.js";
import { createFormEditor } from "./form.js";

/** @typedef {import("../../app/context.js").Context} Context */

/**
 * Asks for the address, and shows the secret of the receiver that proved itself.
 * @param {Context} context
 * @param {() => void} changed
 * @param {import("./form.js").Form} [own] The form that is chosen to begin with.
 */
export function addWebhook(context, changed, own = { form: "standard" }) {
    const { t, api } = context;
    const url = createField({
        label: t("notifications.url"),
        name: "url",
        type: "url",
        inputmode: "url",
        placeholder: "https://alerts.example.org/ana",
    });
    url.input.setAttribute("autofocus", "");
    const editor = createFormEditor(context, own);
    const form = createForm(context, {
        fields: [{ name: "url", field: url }, { name: "template", field: editor.field }],
        text: t("notifications.add_do"),
        busyText: t("notifications.adding"),
        async submit() {
            const chosen = editor.value();
            const body = { url: url.value.trim(), ...chosen.form === "standard" ? {} : chosen };
            const { data } = await api.post("/endpoints", body, { once: true });
            sheet.close();
            changed();
            showSecret(context, data.secret, t("notifications.secret_text"));
        },
        faultOf: ({ code, title, detail }) => code.startsWith("endpoint-") ? { name: "url", what: title, todo: detail } : null,
    });
    const sheet = context.sheet({ title: t("notifications.webhook"), lead: t("notifications.webhook_text"), body: [form] });
}
