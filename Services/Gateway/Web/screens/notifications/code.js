/** The code that a message brought: who can type it can read what comes there. */

import { createField } from "../../components/field/field.js";
import { createForm } from "../../components/form/form.js";

/**
 * @template Registered
 * @param {import("../../app/context.js").Context} context
 * @param {object} sent
 * @param {string} sent.name What is registered, in the title.
 * @param {string} sent.place Where the code went.
 * @param {(code: string) => Promise<{data: Registered}>} sent.register
 * @param {(registered: Registered) => void} sent.done
 */
export function typeCode(context, { name, place, register, done }) {
    const { t } = context;
    const code = createField({
        label: t("notifications.code"),
        name: "code",
        inputmode: "numeric",
        autocomplete: "one-time-code",
        maxlength: 6,
        isCode: true,
    });
    code.input.setAttribute("autofocus", "");
    const form = createForm(context, {
        fields: [{ name: "code", field: code }],
        text: t("notifications.code_do"),
        busyText: t("notifications.code_checking"),
        async submit() {
            const { data } = await register(code.value.trim());
            sheet.close();
            done(data);
        },
        faultOf: ({ code, title, detail }) => code === "code-wrong" ? { name: "code", what: title, todo: detail } : null,
    });
    const sheet = context.sheet({
        title: name,
        lead: t("notifications.code_lead", { name: place }),
        body: [form],
    });
}
