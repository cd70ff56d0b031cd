/** A plan that is begun: its name, whose tanks stand on it, and a picture or none. */

import { createField } from "../../../../components/field/field.js";
import { createForm } from "../../../../components/form/form.js";
import { createPictureInput } from "../../../../components/picture-input/picture-input.js";
import { createSelect } from "../../../../components/select/select.js";
import { h } from "../../../../page/dom.js";
import { mayPlanFor } from "../../../../water/plans.js";

/**
 * @param {import("../../../../app/context.js").Context} context
 * @param {import("../../../../app/plans.js").Plans} plans
 */
export function makePlan(context, plans) {
    const { t, store } = context;
    const owners = mayPlanFor(store.devices.value ?? [], context.acting);
    let project = owners[0]?.project ?? null;
    /** @type {import("../../../../page/photo.js").Picture | null} */
    let picture = null;
    const name = createField({ label: t("plans.name"), name: "name", value: "", maxlength: 64 });
    name.input.setAttribute("autofocus", "");
    const whose = createSelect({
        label: t("plans.whose"),
        options: owners.map(({ project, name }) => ({ value: project ?? "", text: name ?? t("tanks.group_own") })),
        choose: (value) => project = value === "" ? null : value,
    });
    const input = createPictureInput(context, {
        text: t("plans.choose_picture"),
        take(next) {
            picture = next;
            input.setText(t("plans.chosen_picture"));
        },
    });
    /** One that was made, whose picture did not arrive: it is not made again. @type {import("../../../../water/plans.js").PlacedPlan | null} */
    let made = null;
    const form = createForm(context, {
        fields: [{ name: "name", field: name }],
        text: t("plans.make"),
        busyText: t("common.saving"),
        isLarge: true,
        async submit() {
            made ??= await plans.make(name.value.trim(), project);
            if (picture) made = await plans.setPicture(made, picture);
            sheet.close();
            await context.navigate(`/tanks/plans/${encodeURIComponent(made.id)}`);
        },
    });
    name.element.after(...owners.length > 1 ? [whose.element] : [], input.element, h("p", { class: "small quiet" }, t("plans.picture_text")));
    const sheet = context.sheet({ title: t("plans.add"), body: [form] });
}
