/** Readings of a stretch of time are deleted: what and when, how many there are, and once more whether. */

import { createButton } from "../../../components/button/button.js";
import { createPeriod } from "../../../components/entry/period.js";
import { createField } from "../../../components/field/field.js";
import { createProblem } from "../../../components/page/page.js";
import { createChoices } from "../../../components/picker/choice.js";
import { h } from "../../../page/dom.js";

/**
 * @param {import("../../../app/context.js").Context} context
 * @param {object} what
 * @param {string} what.device
 * @param {string} what.parameter
 * @param {import("../../../water/series.js").Period} what.period What is looked at.
 * @param {() => void} what.done
 */
export function openDeleting(context, { device, parameter, period, done }) {
    const { t, api, format, toast } = context;
    const name = t(`water.${parameter}_full`);
    const path = `/devices/${encodeURIComponent(device)}/deletions`;
    let which = "one";
    const fields = createPeriod(context, { from: period.from, to: Math.min(period.to, Date.now()) });
    const choices = createChoices({
        label: t("records.what"),
        options: [
            { value: "one", text: name, detail: t("records.what_one") },
            { value: "all", text: t("records.what_all") },
        ],
        value: which,
        onChoose: (next) => choices.show(which = next),
    });
    const reason = createField({ label: t("records.reason"), name: "reason", rows: 2, maxlength: 500 });
    const problem = createProblem();
    const look = createButton({ text: t("records.look"), kind: "primary", isLarge: true, isSubmit: true });
    const form = h("form", { class: "form", novalidate: true }, fields.element, choices.element, reason.element, problem.element, look.element);
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (look.isBusy) return;
        look.setBusy(true);
        await remove().catch((error) => problem.show(context.explain(error)));
        look.setBusy(false);
    });
    const sheet = context.sheet({ title: t("records.delete"), lead: t("records.delete_lead"), body: [form] });

    /** Counts first, and deletes just as many. */
    async function remove() {
        problem.show("");
        const chosen = fields.read();
        if (!chosen) return;
        const wish = {
            from: new Date(chosen.from).toISOString(),
            until: new Date(chosen.to).toISOString(),
            parameters: which === "one" ? [parameter] : [],
            reason: reason.value.trim() || null,
        };
        const { data: { readings, messages } } = await api.post(path, { ...wish, dryRun: true });
        if (readings === 0) return problem.show(t("records.none"));
        const now = Date.now();
        const agrees = await context.confirm({
            title: t("records.confirm", { count: readings }),
            text: t("records.confirm_text", {
                count: messages,
                from: format.placed(chosen.from, now),
                until: format.placed(chosen.to, now),
            }),
            action: t("records.confirm_action"),
            isGrave: true,
        });
        if (!agrees) return;
        await api.post(path, { ...wish, readings });
        sheet.close();
        toast({ text: t("records.deleted", { count: readings }) });
        done();
    }
}
