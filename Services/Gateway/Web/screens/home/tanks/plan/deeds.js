/** What else can be done with a plan: another name, another picture or none, and its end. */

import { createField } from "../../../../components/field/field.js";
import { createForm } from "../../../../components/form/form.js";
import { createList, createRow } from "../../../../components/list-row/list-row.js";
import { createPictureInput } from "../../../../components/picture-input/picture-input.js";
import { h } from "../../../../page/dom.js";
import { ChangedElsewhere, isProblem } from "../../../../words/problem.js";

/** @typedef {import("../../../../water/plans.js").PlacedPlan} PlacedPlan */

/**
 * @param {import("../../../../app/context.js").Context} context
 * @param {import("../../../../app/plans.js").Plans} plans
 * @param {PlacedPlan} plan
 * @param {(plan: PlacedPlan) => void} take It is another one now.
 */
export function deedsOf(context, plans, plan, take) {
    const { t } = context;

    /** @param {() => Promise<PlacedPlan>} change */
    async function perform(change) {
        try {
            take(await change());
        } catch (error) {
            if (!isProblem(error) || error.status !== 412) return void context.toast({ text: context.explain(error) });
            take(await plans.placed(plan.id));
            context.toast({ text: context.explain(new ChangedElsewhere()) });
        }
    }

    function rename() {
        const name = createField({ label: t("plans.name"), name: "name", value: plan.name, maxlength: 64 });
        name.input.setAttribute("autofocus", "");
        const form = createForm(context, {
            fields: [{ name: "name", field: name }],
            text: t("common.save"),
            busyText: t("common.saving"),
            async submit() {
                take(await plans.rename(plan, name.value.trim()));
                sheet.close();
            },
        });
        const sheet = context.sheet({ title: t("plans.name"), body: [form] });
    }

    async function remove() {
        const agrees = await context.confirm({
            title: t("plans.remove_title", { name: plan.name }),
            text: t("plans.remove_text"),
            action: t("plans.remove"),
            isGrave: true,
        });
        if (!agrees) return;
        try {
            await plans.remove(plan);
            await context.navigate("/tanks", { replace: true });
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }

    const input = createPictureInput(context, {
        text: t(plan.picture ? "plans.other_picture" : "plans.choose_picture"),
        take: (picture) => perform(() => plans.setPicture(plan, picture)),
    });
    const rows = [
        createRow({ name: t("plans.name"), value: plan.name, press: rename }),
        ...plan.picture ? [createRow({ name: t("plans.no_picture"), isAction: true, press: () => void perform(() => plans.setPicture(plan, null)) })] : [],
        createRow({ name: t("plans.remove"), icon: "bin", isAction: true, isGrave: true, press: () => void remove() }),
    ];
    return [h("h2", { class: "section-head" }, t("plans.title")), input.element, createList(...rows.map(({ element }) => element))];
}
