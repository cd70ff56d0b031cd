/** A program of the person's that takes signed messages. */

import { createField } from "../../components/field/field.js";
import { createForm } from "../../components/form/form.js";
import { showSecret } from "../../components/secret/secret.js";
import { isProblem } from "../../words/problem.js";
import { createCodeOffer } from "./code-offer.js";
import { createFormEditor } from "./form.js";

/** @typedef {import("../../app/context.js").Context} Context */

/** What a receiver comes to that does not answer the challenge. */
const unanswered = new Set(["endpoint-unproven", "endpoint-unanswered"]);

/**
 * Asks for the address, and shows the secret of the receiver that proved itself: by the challenge, or where it answers none by a code.
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
    /** @param {{secret: string}} registered */
    const registered = ({ secret }) => {
        changed();
        showSecret(context, secret, t("notifications.secret_text"));
    };
    const offer = createCodeOffer(context, { leave: () => sheet.close(), registered });
    const form = createForm(context, {
        fields: [{ name: "url", field: url }, { name: "template", field: editor.field }],
        text: t("notifications.add_do"),
        busyText: t("notifications.adding"),
        async submit() {
            const chosen = editor.value();
            const isOwn = chosen.form === "standard";
            const body = { url: url.value.trim(), ...isOwn ? {} : chosen };
            offer.show(null);
            try {
                const { data } = await api.post("/endpoints", body, { once: true });
                sheet.close();
                registered(data);
            } catch (error) {
                // A receiver of our own form can be made to answer.
                if (!isOwn && isProblem(error) && unanswered.has(error.code)) offer.show({ ...chosen, url: body.url });
                throw error;
            }
        },
        faultOf: ({ code, title, detail }) => code.startsWith("endpoint-") ? { name: "url", what: title, todo: detail } : null,
    });
    const sheet = context.sheet({ title: t("notifications.webhook"), lead: t("notifications.webhook_text"), body: [form, offer.element] });
}
