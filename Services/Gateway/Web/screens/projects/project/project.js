/** One project: who keeps its tanks, which those are, and the ways out. */

import { act, actingAs } from "../../../app/acting.js";
import { projectsOf } from "../../../app/projects.js";
import { createButton } from "../../../components/button/button.js";
import { createField } from "../../../components/field/field.js";
import { createForm } from "../../../components/form/form.js";
import { createBlankList, createList, createRow } from "../../../components/list-row/list-row.js";
import { createBack, createProblem, createTabPage } from "../../../components/page/page.js";
import { h, setText } from "../../../page/dom.js";
import { refill } from "../../../page/refill.js";
import { effect } from "../../../page/signals.js";
import { isAdministrator } from "../../../water/projects.js";
import { ChangedElsewhere, isProblem } from "../../../words/problem.js";
import { peopleOf } from "./people.js";
import { createProjectPage } from "./public.js";
import { createReceived } from "./received.js";
import { tanksOf } from "./tanks.js";
import { waysOut } from "./ways-out.js";

/**
 * What the parts of the screen are given.
 * @typedef {object} Scene
 * @property {import("../../../app/context.js").Context} context
 * @property {import("../../../app/projects.js").Whole} whole
 * @property {() => Promise<void>} read Reads the project again, after a change.
 * @property {(change: () => Promise<unknown>) => Promise<void>} perform Runs a change, tells why it failed, and reads again.
 */

/**
 * @param {HTMLElement} root
 * @param {import("../../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, { project: id }) {
    const { t, store } = context;
    const projects = projectsOf(context);
    const page = createTabPage({ title: t("projects.title"), lead: t("common.loading"), top: createBack(context, "/settings/projects") });
    const problem = createProblem({ text: t("common.retry"), press: () => void read() });
    const body = h("div", null, createBlankList(3));
    page.body.append(problem.element, body);
    root.replaceChildren(...page.parts);
    context.title(t("projects.title"));
    /** @type {import("../../../app/projects.js").Whole | null} */
    let whole = null;
    const publicPage = createProjectPage(context);
    const received = createReceived(context);
    let hasEnded = false;

    async function read() {
        problem.show("");
        try {
            const read = await projects.whole(id);
            whole = read.whole;
            if (read.isOld) problem.show(t("projects.old"));
        } catch (error) {
            if (hasEnded) return;
            problem.show(context.explain(error, "read"));
            if (whole === null) body.replaceChildren();
        }
        update();
    }

    /** @param {() => Promise<unknown>} change */
    async function perform(change) {
        try {
            await change();
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
        await read();
    }

    function update() {
        if (hasEnded || !whole) return;
        const { project, members } = whole;
        setText(page.headline, project.name);
        context.title(project.name);
        setText(page.lead, [t("projects.tanks", { count: project.devices }), t("projects.people", { count: members.length })].join(" · "));
        /** @type {Scene} */
        const scene = { context, whole, read, perform };
        // The focus stays on the row whose value has just changed.
        refill(body, [...actingRow(), ...peopleOf(scene), shiftsRow(project.id), ...tanksOf(scene), ...received.of(project), ...publicPage.of(project), ...nameRow(), ...waysOut(scene)]);
    }

    /** Acting as the project, for those who may. */
    function actingRow() {
        const project = whole?.project;
        if (!project || !isAdministrator(project.role)) return [];
        const isActing = actingAs()?.id === project.id;
        const button = createButton({
            text: isActing ? t("projects.act_end") : t("projects.act", { name: project.name }),
            kind: isActing ? "quiet" : "primary",
            press: () => act(isActing ? null : project),
        });
        return [h("div", { class: "buttons" }, button.element), h("p", { class: "rows-note" }, t("projects.act_text"))];
    }

    /** @param {string} id */
    function shiftsRow(id) {
        return createList(createRow({ name: t("shifts.title"), detail: t("shifts.row"), icon: "clock", href: `/settings/projects/${encodeURIComponent(id)}/shifts` }).element);
    }

    function nameRow() {
        const project = whole?.project;
        if (!project || !isAdministrator(project.role)) return [];
        return [
            h("h2", { class: "section-head" }, t("projects.settings")),
            createList(createRow({ name: t("projects.name"), value: project.name, press: rename }).element),
        ];
    }

    function rename() {
        if (!whole) return;
        const { project, tag } = whole;
        const name = createField({ label: t("projects.name"), name: "name", value: project.name, maxlength: 64 });
        name.input.setAttribute("autofocus", "");
        const form = createForm(context, {
            fields: [{ name: "name", field: name }],
            text: t("common.save"),
            busyText: t("common.saving"),
            async submit() {
                try {
                    await projects.rename(id, name.value.trim(), tag);
                } catch (error) {
                    if (!isProblem(error) || error.status !== 412) throw error;
                    await read();
                    throw new ChangedElsewhere();
                }
                sheet.close();
                await read();
            },
        });
        const sheet = context.sheet({ title: t("projects.name"), body: [form] });
    }

    const end = effect([store.devices], update);
    void read();
    return {
        unmount() {
            hasEnded = true;
            publicPage.remove();
            received.remove();
            end();
        },
    };
}
