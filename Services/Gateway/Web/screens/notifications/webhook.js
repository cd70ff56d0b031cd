/** A program of the person's that takes signed messages. */

import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { createProblem } from "../../components/page/page.js";
import { showSecret } from "../../components/secret/secret.js";
import { h } from "../../page/dom.js";
import { isProblem } from "../../words/problem.js";

/** @typedef {import("../../app/context.js").Context} Context */

/**
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
    const problem = createProblem();
    const button = createButton({
        text: t("notifications.add_do"),
        busyText: t("notifications.adding"),
        kind: "primary",
        isSubmit: true,
    });
    const form = h("form", { class: "form", novalidate: true }, url.element, problem.element, button.element);
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (button.isBusy) return;
        problem.show("");
        button.setBusy(true);
        try {
            const { data } = await api.post("/endpoints", { url: url.value.trim() }, { once: true });
            sheet.close();
            changed();
            showSecret(context, data.secret, t("notifications.secret_text"));
        } catch (error) {
            const fault = isProblem(error) ? error.faultOf("url") : null;
            if (fault) url.setFault({ what: fault.detail });
            else if (isProblem(error) && error.code.startsWith("endpoint-")) url.setFault({ what: error.title, todo: error.detail });
            else problem.show(context.explain(error));
            url.focus();
        } finally {
            button.setBusy(false);
        }
    });
    const sheet = context.sheet({ title: t("notifications.webhook"), lead: t("notifications.webhook_text"), body: [form] });
}
