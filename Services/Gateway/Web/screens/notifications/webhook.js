/** A program of the person's that takes signed messages. */

import { createField } from "../../components/field/field.js";
import { createForm } from "../../components/form/form.js";
import { showSecret } from "../../components/secret/secret.js";

/** @typedef {import("../../app/context.js").Context} Context */

/**
 * Asks for the address, and shows the secret of the receiver that proved itself.
 * @param {Context} context
 * @param {() => void} changed
 */
export function addWebhook(context, changed) {
    const { t, api } = context;
    const url = createField({
        label: t("notifications.url"),
        name: "url",
        type: "url",
        inputmode: "url",
        placeholder: "https://alerts.example.org/ana",
    });
    url.input.setAttribute("autofocus", "");
    const form = createForm(context, {
        fields: [{ name: "url", field: url }],
        text: t("notifications.add_do"),
        busyText: t("notifications.adding"),
        async submit() {
            const { data } = await api.post("/endpoints", { url: url.value.trim() }, { once: true });
            sheet.close();
            changed();
            showSecret(context, data.secret, t("notifications.secret_text"));
        },
        faultOf: ({ code, title, detail }) => code.startsWith("endpoint-") ? { name: "url", what: title, todo: detail } : null,
    });
    const sheet = context.sheet({ title: t("notifications.webhook"), lead: t("notifications.webhook_text"), body: [form] });
}
