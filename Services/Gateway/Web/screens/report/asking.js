/** A sentence for whoever looks later, which may be left out. */

import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { h } from "../../page/dom.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {{title: string, lead: string, action: string}} words
 * @returns {Promise<string | null>} null where the sheet was closed.
 */
export function askForText(context, { title, lead, action }) {
    return new Promise((resolve) => {
        const field = createField({ label: context.t("records.note"), name: "note", rows: 2, maxlength: 500 });
        const go = createButton({ text: action, kind: "primary", isLarge: true, isSubmit: true });
        const form = h("form", { class: "form", novalidate: true }, field.element, go.element);
        /** @type {string | null} */
        let said = null;
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            said = field.value.trim();
            sheet.close();
        });
        const sheet = context.sheet({ title, lead, body: [form], onClose: () => resolve(said) });
    });
}
