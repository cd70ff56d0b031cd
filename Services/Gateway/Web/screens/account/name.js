/** The person's name, as others who share a device see it. */

import { createField } from "../../components/field/field.js";
import { createForm } from "../../components/form/form.js";
import { h } from "../../page/dom.js";
import { ChangedElsewhere, isProblem } from "../../words/problem.js";

const longest = 40;

/** @param {import("../../app/context.js").Context} context */
export function askForOwnName(context) {
    const { t, store } = context;
    const name = createField({
        label: t("account.name"),
        name: "name",
        value: store.settings.value?.name ?? "",
        placeholder: store.account.value?.name,
        autocomplete: "name",
        maxlength: longest,
    });
    name.input.setAttribute("autofocus", "");
    const form = createForm(context, {
        fields: [{ name: "name", field: name }],
        text: t("common.save"),
        busyText: t("common.saving"),
        async submit() {
            await save(name.value.trim() || null);
            sheet.close();
        },
    });

    /** @param {string | null} next Where it is null, the name is a part of the email address. */
    async function save(next) {
        try {
            await store.changeSettings({ name: next });
        } catch (error) {
            if (!isProblem(error) || error.status !== 412) throw error;
            await store.readSettings();
            throw new ChangedElsewhere();
        }
        // The name in effect is the account's.
        await store.refresh(["settings"]).catch(() => {});
    }

    const note = h("p", { class: "rows-note" }, t("account.name_empty"));
    const sheet = context.sheet({ title: t("account.name"), lead: t("account.name_text"), body: [form, note] });
    name.input.select();
}
