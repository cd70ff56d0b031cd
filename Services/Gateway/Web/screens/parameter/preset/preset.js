/** One parameter of a preset: the same rows as those of a device, and the way out of the preset. */

import { createBlankList, createList, createRow } from "../../../components/list-row/list-row.js";
import { createProblem, createSubPage } from "../../../components/page/page.js";
import { ownPresetsOf } from "../../../components/presets/own.js";
import { h } from "../../../page/dom.js";
import { ChangedElsewhere, isProblem } from "../../../words/problem.js";
import { parameterRows } from "../rows.js";

/** @typedef {import("../../../components/presets/own.js").Told} Told */

/**
 * @param {HTMLElement} root
 * @param {import("../../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, { preset: id, parameter: name }) {
    const { t } = context;
    const presets = ownPresetsOf(context);
    const home = `/settings/presets/${encodeURIComponent(id)}`;
    const page = createSubPage(context, { title: t(`water.${name}_full`), back: home });
    context.title(t(`water.${name}_full`));
    const problem = createProblem({ text: t("common.retry"), press: () => void read() });
    const body = h("div", null, createBlankList(3));
    page.body.append(problem.element, body);
    root.replaceChildren(...page.parts);
    /** @type {Told | null} */
    let told = null;
    let hasEnded = false;

    const present = () => told?.preset.parameters.find((parameter) => parameter.name === name) ?? null;

    async function read() {
        problem.show("");
        try {
            told = await presets.read(id);
        } catch (error) {
            if (hasEnded) return;
            body.replaceChildren();
            return problem.show(context.explain(error, "read"));
        }
        show();
    }

    function show() {
        if (hasEnded || !told) return;
        const parameter = present();
        page.setSubtitle(told.preset.name);
        if (!parameter) return body.replaceChildren(h("p", { class: "rows-note" }, t("presets.gone")));
        const isOwn = told.preset.project === null;
        const focused = [...body.querySelectorAll("button, a")].indexOf(/** @type {Element} */ (document.activeElement));
        // Another unit would give other meanings to the numbers: it stays.
        const rows = parameterRows(context, { parameter: { ...parameter, units: [parameter.unit] }, save: isOwn ? save : undefined, read: present, trials: null });
        body.replaceChildren(
            h("p", { class: "rows-note presets-lead" }, t("presets.change_text")),
            rows.limits,
            rows.sensor,
            ...rows.rest,
            ...isOwn && told.preset.parameters.length > 1
                ? [createList(createRow({ name: t("presets.leave_out"), icon: "bin", isAction: true, isGrave: true, press: leaveOut }).element)]
                : [],
        );
        if (focused >= 0) /** @type {HTMLElement | undefined} */ ([...body.querySelectorAll("button, a")][focused])?.focus();
    }

    /** @param {import("../../../water/limits.js").RangeChange} change */
    async function save(change) {
        await put((parameters) => parameters.map((parameter) => parameter.name === name ? { ...parameter, ...change } : parameter));
        show();
    }

    async function leaveOut() {
        try {
            await put((parameters) => parameters.filter((parameter) => parameter.name !== name));
            await context.navigate(home, { replace: true });
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }

    /** @param {(parameters: readonly import("../../../water/tanks.js").Parameter[]) => readonly import("../../../water/tanks.js").Parameter[]} changed */
    async function put(changed) {
        if (!told) return;
        try {
            told = await presets.change(told, { parameters: changed(told.preset.parameters) });
        } catch (error) {
            if (!isProblem(error) || error.status !== 412) throw error;
            await read();
            throw new ChangedElsewhere();
        }
    }

    void read();
    return { unmount: () => void (hasEnded = true) };
}
