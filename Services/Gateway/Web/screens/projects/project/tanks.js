/** The tanks of a project, as they are now, and one's own that are moved in. */

import { projectsOf } from "../../../app/projects.js";
import { deviceModel } from "../../../components/device-card/device-model.js";
import { createList, createRow } from "../../../components/list-row/list-row.js";
import { createChoices } from "../../../components/picker/choice.js";
import { h } from "../../../page/dom.js";
import { isAdministrator } from "../../../water/projects.js";

/** @param {import("./project.js").Scene} scene */
export function tanksOf(scene) {
    const { context, whole } = scene;
    const { t, store } = context;
    const { project } = whole;
    const inside = new Set(store.devices.value?.filter((device) => device.project?.id === project.id).map(({ id }) => id));
    const now = Date.now();
    const rows = (store.tanks.value ?? []).filter(({ id }) => inside.has(id)).map((tank) => {
        const model = deviceModel(context, tank, now, false);
        return createRow({
            name: tank.name,
            value: model.state,
            shape: model.isWaiting ? "snoozed" : model.shape ?? "fine",
            href: `/devices/${encodeURIComponent(tank.id)}`,
        }).element;
    });
    const mayMove = isAdministrator(project.role);
    return [
        h("h2", { class: "section-head" }, t("projects.tanks_title")),
        rows.length === 0 && !mayMove ? h("p", { class: "rows-note" }, t("projects.tanks_none")) : createList(
            ...rows,
            mayMove && createRow({ name: t("projects.move"), icon: "plus", isAction: true, press: () => askForTank(scene) }).element,
        ),
    ];
}

/** @param {import("./project.js").Scene} scene */
function askForTank({ context, whole, perform }) {
    const { t, store } = context;
    const { project } = whole;
    const own = store.devices.value?.filter(({ role, project }) => role === "owner" && !project) ?? [];
    if (own.length === 0) return context.toast({ text: t("projects.move_none") });
    const choices = createChoices({
        options: own.map(({ id, name }) => ({ value: id, text: name })),
        value: null,
        onChoose: async (id) => {
            sheet.close();
            const name = store.deviceOf(id)?.name ?? id;
            const agrees = await context.confirm({
                title: t("projects.move_title", { tank: name, name: project.name }),
                text: t("projects.move_text", { name: project.name }),
                action: t("projects.move_do"),
            });
            if (!agrees) return;
            await perform(async () => {
                await projectsOf(context).moveIn(project.id, id);
                await store.refresh();
            });
        },
    });
    const sheet = context.sheet({ title: t("projects.move"), lead: t("projects.move_lead"), body: [choices.element] });
}
