/** Leaving a project, handing it over, dissolving it. */

import { act, actingAs } from "../../../app/acting.js";
import { projectsOf } from "../../../app/projects.js";
import { createList, createRow } from "../../../components/list-row/list-row.js";
import { createChoices } from "../../../components/picker/choice.js";
import { h } from "../../../page/dom.js";

/** @param {import("./project.js").Scene} scene */
export function waysOut(scene) {
    const { context, whole } = scene;
    const { t } = context;
    const { project, members } = whole;
    const isOwner = project.role === "owner";
    const others = members.filter(({ isMe }) => !isMe);
    const isLastOwner = isOwner && !others.some(({ role }) => role === "owner");
    return [
        h("h2", { class: "section-head" }, t("projects.out")),
        createList(
            isLastOwner && others.length > 0 && createRow({ name: t("projects.hand"), icon: "person", isAction: true, press: () => handOver(scene) }).element,
            !isLastOwner && createRow({ name: t("projects.leave", { name: project.name }), icon: "bin", isAction: true, isGrave: true, press: () => leave(scene) }).element,
            isOwner && createRow({ name: t("projects.dissolve", { name: project.name }), icon: "bin", isAction: true, isGrave: true, press: () => dissolve(scene) }).element,
        ),
        isLastOwner ? h("p", { class: "rows-note" }, t(others.length > 0 ? "projects.hand_note" : "projects.alone_note")) : null,
    ].filter((part) => part !== null);
}

/** @param {import("./project.js").Scene} scene */
function handOver({ context, whole, perform }) {
    const { t } = context;
    const { id } = whole.project;
    const others = whole.members.filter(({ isMe }) => !isMe);
    const choices = createChoices({
        options: others.map(({ id, name, role }) => ({ value: id, text: name, detail: t(`projects.role_${role}`) })),
        value: null,
        onChoose: async (member) => {
            sheet.close();
            const name = others.find((other) => other.id === member)?.name ?? "";
            const agrees = await context.confirm({ title: t("projects.hand_title", { name }), text: t("projects.hand_text", { name }), action: t("projects.hand_do") });
            if (agrees) await perform(() => projectsOf(context).changeMember(id, member, { role: "owner" }));
        },
    });
    const sheet = context.sheet({ title: t("projects.hand"), lead: t("projects.hand_lead"), body: [choices.element] });
}

/** @param {import("./project.js").Scene} scene */
async function leave({ context, whole }) {
    const { t } = context;
    const { id, name } = whole.project;
    const me = whole.members.find(({ isMe }) => isMe);
    const agrees = await context.confirm({ title: t("projects.leave_title", { name }), text: t("projects.leave_text"), action: t("projects.leave_do"), isGrave: true });
    if (agrees && me) await end(context, id, () => projectsOf(context).removeMember(id, me.id));
}

/** @param {import("./project.js").Scene} scene */
async function dissolve({ context, whole }) {
    const { t } = context;
    const { id, name } = whole.project;
    const agrees = await context.confirm({
        title: t("projects.dissolve_title", { name }),
        text: t("projects.dissolve_text", { count: whole.project.devices }),
        action: t("projects.dissolve_do"),
        isGrave: true,
    });
    if (agrees) await end(context, id, () => projectsOf(context).dissolve(id));
}

/**
 * The person has nothing to do with the project from now on.
 * @param {import("../../../app/context.js").Context} context
 * @param {string} id
 * @param {() => Promise<unknown>} change
 */
async function end(context, id, change) {
    try {
        await change();
    } catch (error) {
        return context.toast({ text: context.explain(error) });
    }
    if (actingAs()?.id === id) return act(null);
    await context.navigate("/settings/projects", { replace: true });
    context.store.refresh().catch(() => {});
}
