/** The projects that the person belongs to, and a new one. */

import { projectsOf } from "../../app/projects.js";
import { createField } from "../../components/field/field.js";
import { createForm } from "../../components/form/form.js";
import { createBlankList, createList, createRow } from "../../components/list-row/list-row.js";
import { createProblem, createSubPage } from "../../components/page/page.js";
import { h } from "../../page/dom.js";
import { effect } from "../../page/signals.js";

const longestName = 64;

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t } = context;
    const projects = projectsOf(context);
    const page = createSubPage(context, { title: t("projects.title"), back: "/settings" });
    context.title(t("projects.title"));
    const list = h("div");
    const problem = createProblem({ text: t("common.retry"), press: () => void projects.read() });
    page.body.append(
        h("p", { class: "rows-note" }, t("projects.lead")),
        problem.element,
        list,
        createList(createRow({ name: t("projects.new"), icon: "plus", isAction: true, press: () => askForProject(context) }).element),
    );
    root.replaceChildren(...page.parts);

    function update() {
        const { told, trouble } = projects.listed.value;
        problem.show(trouble ? context.explain(trouble, "read") : "");
        if (told === null) return list.replaceChildren(...trouble ? [] : [createBlankList(2)]);
        list.replaceChildren(
            ...told.length === 0 ? [] : [createList(...told.map(({ id, name, role, devices, members }) =>
                createRow({
                    name,
                    detail: [t("projects.tanks", { count: devices }), t("projects.people", { count: members })].join(" · "),
                    value: t(`projects.role_${role}`),
                    href: `/settings/projects/${encodeURIComponent(id)}`,
                }).element
            ))],
        );
    }

    const end = effect([projects.listed], update);
    void projects.read();
    return { unmount: end };
}

/** @param {import("../../app/context.js").Context} context */
function askForProject(context) {
    const { t } = context;
    const projects = projectsOf(context);
    const name = createField({ label: t("projects.name"), name: "name", placeholder: t("projects.name_example"), maxlength: longestName });
    name.input.setAttribute("autofocus", "");
    const form = createForm(context, {
        fields: [{ name: "name", field: name }],
        text: t("projects.make"),
        busyText: t("common.saving"),
        async submit() {
            const wanted = name.value.trim();
            if (wanted === "") {
                name.setFault({ what: t("projects.name_missing") });
                return name.focus();
            }
            const made = await projects.create(wanted);
            sheet.close();
            await context.navigate(`/settings/projects/${encodeURIComponent(made.id)}`);
        },
    });
    const sheet = context.sheet({ title: t("projects.new"), lead: t("projects.new_text"), body: [form] });
}
