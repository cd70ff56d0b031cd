/** Inviting somebody into a project: what they may do and until when, then the link. */

import { projectsOf } from "../../../app/projects.js";
import { createField } from "../../../components/field/field.js";
import { createForm } from "../../../components/form/form.js";
import { createLinkOnce } from "../../../components/link-once/link-once.js";
import { createChoices } from "../../../components/picker/choice.js";
import { invitedRoles } from "../../../water/projects.js";
import { endOf } from "./until.js";

/** @typedef {import("../../../water/projects.js").Invited} Invited */

/** @param {import("./project.js").Scene} scene */
export function inviteInto({ context, whole, read }) {
    const { t } = context;
    const { project } = whole;
    /** @type {Invited} */
    let role = "keeper";
    const choices = createChoices({
        label: t("projects.role"),
        options: invitedRoles(project.role).map((value) => ({ value, text: t(`projects.role_${value}`), detail: t(`projects.can_${value}`) })),
        value: role,
        onChoose(value) {
            role = /** @type {Invited} */ (value);
            choices.show(value);
            end.element.hidden = role === "sender";
        },
    });
    const end = createField({ label: t("projects.end"), name: "until", type: "date" });
    end.setHint(t("projects.end_hint"));
    const form = createForm(context, {
        fields: [{ name: "until", field: end }],
        text: t("sharing.make"),
        busyText: t("common.saving"),
        async submit() {
            const until = role === "sender" ? null : endOf(end.value, context.format.zone);
            const { link } = await projectsOf(context).invite(project.id, { role, ...until === null ? {} : { until } });
            const once = createLinkOnce(context, link, t("projects.subject", { name: project.name }));
            form.replaceChildren(...once.elements);
            once.focus();
            await read();
        },
    });
    form.prepend(choices.element);
    context.sheet({ title: t("projects.invite"), lead: t("projects.invite_text", { name: project.name }), body: [form] });
}
