/** Presets of one's own and of projects, and a new one. */

import { actingAs } from "../../app/acting.js";
import { createBlankList, createList, createRow } from "../../components/list-row/list-row.js";
import { createProblem, createSubPage } from "../../components/page/page.js";
import { askForNewPreset } from "../../components/presets/new.js";
import { readPresets } from "../../components/presets/presets.js";
import { h } from "../../page/dom.js";

/** @typedef {import("../../water/presets.js").Preset} Preset */

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t } = context;
    const page = createSubPage(context, { title: t("presets.title"), back: "/settings" });
    context.title(t("presets.title"));
    const acting = actingAs();
    const list = h("div", { class: "presets-body presets-lead" }, createBlankList(2));
    const problem = createProblem({ text: t("common.retry"), press: () => void read() });
    /** @type {readonly Preset[]} */
    let presets = [];
    let hasEnded = false;
    const add = createRow({ name: t("presets.new"), icon: "plus", isAction: true, press: () => askForNewPreset(context, presets.filter(({ own }) => !own)) });
    page.body.append(
        h("p", { class: "rows-note presets-lead" }, acting ? t("presets.lead_project", { name: acting.name }) : t("presets.lead")),
        problem.element,
        list,
        createList(add.element),
    );
    root.replaceChildren(...page.parts);

    async function read() {
        problem.show("");
        try {
            presets = await readPresets(context);
        } catch (error) {
            if (hasEnded) return;
            problem.show(context.explain(error, "read"));
            return list.replaceChildren();
        }
        if (hasEnded) return;
        const own = presets.filter((preset) => preset.own);
        const projects = [...new Set(own.map(({ project }) => project ?? null))];
        list.replaceChildren(...projects.flatMap((project) => [
            ...project === null ? [] : [h("h2", { class: "section-head" }, project)],
            createList(...own.filter((preset) => (preset.project ?? null) === project).map(rowOf)),
        ]));
    }

    /** @param {Preset} preset */
    function rowOf({ id, name, limits }) {
        return createRow({
            name,
            detail: limits.map(({ parameter }) => t(`water.${parameter}_full`)).join(", "),
            href: `/settings/presets/${encodeURIComponent(id)}`,
        }).element;
    }

    void read();
    return { unmount: () => void (hasEnded = true) };
}
