/** The people of a project with what they may do, and the invitations that wait. */

import { projectsOf } from "../../../app/projects.js";
import { createButton } from "../../../components/button/button.js";
import { createField } from "../../../components/field/field.js";
import { createForm } from "../../../components/form/form.js";
import { createList, createRow } from "../../../components/list-row/list-row.js";
import { createChoices } from "../../../components/picker/choice.js";
import { h } from "../../../page/dom.js";
import { initialOf } from "../../../water/answers.js";
import { dateOf, dayAt } from "../../../water/civil.js";
import { isAdministrator, powersOver } from "../../../water/projects.js";
import { inviteInto } from "./invite.js";
import { endOf } from "./until.js";

/** @typedef {import("./project.js").Scene} Scene */
/** @typedef {import("../../../water/projects.js").Member} Member */
/** @typedef {import("../../../water/projects.js").Role} Role */

/** @param {Scene} scene */
export function peopleOf(scene) {
    const { context, whole } = scene;
    const { t, format } = context;
    const { project, members, invitations } = whole;
    const mayInvite = isAdministrator(project.role);
    return [
        h("h2", { class: "section-head" }, t("projects.people_title")),
        createList(
            ...members.map((member) => {
                const powers = powersOver(project.role, member, members);
                const isOpen = powers.roles.length > 0;
                const until = member.until ? t("projects.until", { date: format.date(Date.parse(member.until)) }) : "";
                const row = createRow({
                    name: member.isMe ? t("projects.me", { name: member.name }) : member.name,
                    detail: [t(`projects.can_${member.role}`), until].filter((part) => part !== "").join(" · "),
                    value: t(`projects.role_${member.role}`),
                    press: isOpen ? () => changeMember(scene, member, powers) : undefined,
                });
                row.inside.prepend(h("span", { class: "project-letter", "aria-hidden": "true" }, initialOf(member.name)));
                return row.element;
            }),
            ...invitations.filter(({ state = "open" }) => state === "open").map((invitation) =>
                createRow({
                    name: t("sharing.open"),
                    detail: t("sharing.until", { date: format.placed(Date.parse(invitation.expiresAt)) }),
                    value: t(`projects.role_${invitation.role}`),
                    icon: "link",
                    press: () => revoke(scene, invitation.id),
                }).element
            ),
            mayInvite && createRow({ name: t("projects.invite"), icon: "plus", isAction: true, press: () => inviteInto(scene) }).element,
        ),
    ];
}

/**
 * @param {Scene} scene
 * @param {Member} member
 * @param {ReturnType<typeof powersOver>} powers
 */
function changeMember({ context, whole, read, perform }, member, powers) {
    const { t } = context;
    const projects = projectsOf(context);
    const { id } = whole.project;
    /** @type {Role} */
    let role = member.role;
    const choices = createChoices({
        label: t("projects.role"),
        options: powers.roles.map((value) => ({ value, text: t(`projects.role_${value}`), detail: t(`projects.can_${value}`) })),
        value: role,
        onChoose(value) {
            role = /** @type {Role} */ (value);
            choices.show(value);
            end.element.hidden = value === "owner" || !powers.mayEnd;
        },
    });
    const end = createField({ label: t("projects.end"), name: "until", type: "date", value: member.until ? dateOf(dayAt(Date.parse(member.until), context.format.zone)) : "" });
    end.setHint(t("projects.end_hint"));
    end.element.hidden = !powers.mayEnd;
    const form = createForm(context, {
        fields: [{ name: "until", field: end }],
        text: t("common.save"),
        busyText: t("common.saving"),
        async submit() {
            const until = role === "owner" ? null : endOf(end.value, context.format.zone);
            await projects.changeMember(id, member.id, { ...role === member.role ? {} : { role }, ...until === (member.until ?? null) ? {} : { until } });
            sheet.close();
            await read();
        },
    });
    const remove = createButton({
        text: t("projects.remove_member", { name: member.name }),
        kind: "text",
        press: async () => {
            const agrees = await context.confirm({
                title: t("sharing.remove", { name: member.name }),
                text: t("projects.remove_member_text"),
                action: t("sharing.remove_do"),
                isGrave: true,
            });
            if (!agrees) return;
            sheet.close();
            await perform(() => projects.removeMember(id, member.id));
        },
    });
    form.prepend(choices.element);
    const sheet = context.sheet({ title: member.name, body: [form, remove.element] });
}

/**
 * @param {Scene} scene
 * @param {string} invitation
 */
async function revoke({ context, whole, perform }, invitation) {
    const { t } = context;
    const agrees = await context.confirm({ title: t("sharing.revoke"), text: t("sharing.revoke_text"), action: t("sharing.revoke_do") });
    if (agrees) await perform(() => projectsOf(context).revoke(whole.project.id, invitation));
}
