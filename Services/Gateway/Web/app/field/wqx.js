/** Results for WQX: under which names they are reported, and what keeps the table from being made. */

import { createField } from "../../components/field/field.js";
import { createForm } from "../../components/form/form.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { h } from "../../page/dom.js";
import { samplePath } from "../../water/field/received.js";
import { longest, nameOf, names, namesIn } from "../../water/wqx.js";
import { isProblem } from "../../words/problem.js";

/** @typedef {import("../../words/problem.js").IncompleteLine} IncompleteLine */

/**
 * Asks for the names, which this device keeps for the next time, and saves the table.
 * @param {import("../context.js").Context} context
 * @param {object} table
 * @param {string} [table.project] Which received the samples; without it they are the person's own.
 * @param {(names: Readonly<Record<string, string>>) => Promise<void>} table.save
 */
export function askNames(context, { project, save }) {
    const { t, preferences } = context;
    const fields = names.map((name) => {
        const field = createField({ label: t(`receivers.wqx_${name}`), name, value: preferences.noted(`wqx-${name}`) ?? "", maxlength: longest[name], isCode: true });
        field.setHint(t(`receivers.wqx_${name}_hint`));
        return { name, field };
    });
    const lacking = h("div");
    const form = createForm(context, {
        fields,
        text: t("receivers.wqx_save"),
        busyText: t("receivers.wqx_saving"),
        async submit() {
            const [organization, study] = fields.map(({ field }) => field.value);
            for (const { name, field } of fields) preferences.note(`wqx-${name}`, field.value.trim());
            for (const { field } of fields) field.setFault(null);
            lacking.replaceChildren();
            try {
                await save(namesIn({ organization, study }));
            } catch (error) {
                if (isProblem(error)) show(error.lines);
                throw error;
            }
            sheet.close();
        },
        faultOf({ lines }) {
            const name = nameOf(lines);
            return name && { name, what: t(`receivers.wqx_${name}_wrong`) };
        },
    });

    /** @param {readonly IncompleteLine[]} lines */
    function show(lines) {
        if (lines.length === 0) return;
        lacking.replaceChildren(createList(...lines.map(({ line, device, element, sample, reason }) => {
            const row = createRow({
                name: t("receivers.line", { line, device, element }),
                detail: t(reason === "tooLong" ? "receivers.line_tooLong" : "receivers.line_missing"),
                href: samplePath(sample, project),
            });
            row.inside.addEventListener("click", () => sheet.close());
            return row.element;
        })));
    }

    const sheet = context.sheet({ title: t("field.csv_wqx"), lead: t("receivers.wqx_lead"), body: [form, lacking] });
}
