/** One parameter of a device: its limits, its unit, its colour. */

import { actingAs } from "../../app/acting.js";
import { createTrials } from "../../app/trials.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { createMonth } from "../../components/month/month.js";
import { createSubPage } from "../../components/page/page.js";
import { inkOf, setInk } from "../../drawing/ink.js";
import { h, setText } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { mayAct } from "../../water/projects.js";
import { computedText } from "../../water/range-text.js";
import { ChangedElsewhere, isProblem } from "../../words/problem.js";
import { createHues } from "./hues.js";
import { parameterRows } from "./rows.js";
import { settings } from "./settings.js";

/** @typedef {import("../../water/tanks.js").Parameter} Parameter */
/** @typedef {import("../../water/limits.js").RangeChange} Change */

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, { device: id, parameter: name }) {
    const { t, store } = context;
    const page = createSubPage(context, { title: "", back: `/settings#${encodeURIComponent(id)}` });
    root.replaceChildren(...page.parts);
    const trials = createTrials(context, { device: id, name });
    const month = createMonth(context, { device: id, name, trials, fields: settings.map(({ field }) => field) });
    let shown = "";

    function update() {
        const parameter = store.parameterOf(id, name);
        const device = store.deviceOf(id);
        const key = JSON.stringify([parameter, device?.name, mayAct(device), store.devices.value === undefined]);
        if (key === shown) return;
        shown = key;
        const isKnown = store.hasParameter(id, name) ?? t.has(`water.${name}_full`);
        const title = t(isKnown ? `water.${name}_full` : "devices.unknown");
        setText(page.heading, title);
        context.title(title);
        page.setSubtitle(device?.name ?? "");
        if (!parameter || !device) {
            const text = store.devices.value === undefined ? t("common.loading") : t("devices.unknown_text");
            return page.body.replaceChildren(h("p", { class: "quiet" }, text));
        }
        // The focus stays on the row whose value has just changed.
        const focused = [...page.body.querySelectorAll("button, a")].indexOf(/** @type {Element} */ (document.activeElement));
        page.body.replaceChildren(...content(parameter));
        month.update(parameter);
        if (focused >= 0) /** @type {HTMLElement | undefined} */ ([...page.body.querySelectorAll("button, a")][focused])?.focus();
    }

    /** @param {Parameter} parameter */
    function content(parameter) {
        const { colour } = parameter;
        const dot = h("span", { class: "parameter-dot" });
        setInk(dot, colour);
        const computed = computedText(context, parameter);
        const last = store.latest.value.get(id)?.get(name);
        const isLookedAt = !mayAct(store.deviceOf(id));
        const rows = parameterRows(context, { parameter, save: isLookedAt ? undefined : save, read: () => store.parameterOf(id, name), trials });
        return [
            month.element,
            h(
                "p",
                { class: "parameter-lead quiet" },
                dot,
                h("span", null, t(parameter.hasMinimum ? "parameter.lead" : "parameter.leadMaximum")),
            ),
            h("h2", { class: "section-head" }, t("parameter.limits")),
            rows.limits,
            ...followingRow(parameter),
            rows.sensor,
            computed === "" ? null : h("p", { class: "rows-note" }, computed),
            ...rows.rest,
            // What is computed has no probe of its own.
            computed === ""
                ? createList(createRow({ name: t("calibration.title"), href: `/settings/${encodeURIComponent(id)}/${encodeURIComponent(name)}/calibration` }).element)
                : null,
            ...isLookedAt ? [] : [
                h("h2", { class: "section-head" }, t("parameter.colour")),
                createHues(context, { hue: inkOf(colour).hue, colour, onChoose: (value) => save({ colour: value }) }),
                h("p", { class: "rows-note" }, t("parameter.colour_note")),
            ],
            last
                ? h("p", { class: "parameter-more" }, h("a", { class: "button", href: `/p/${encodeURIComponent(id)}/${name}` }, t("parameter.graph")))
                : null,
        ].filter((part) => part !== null);
    }

    /**
     * Whether the limits are the project's, and the way back to them where they are the person's own.
     * @param {Parameter} parameter
     */
    function followingRow({ follows }) {
        const project = store.deviceOf(id)?.project;
        // As the project there is nothing to follow.
        if (!project || follows === undefined || actingAs()) return [];
        if (follows) return [h("p", { class: "rows-note" }, t("parameter.follows", { name: project.name }))];
        if (!mayAct(store.deviceOf(id))) return [];
        return [createList(createRow({ name: t("parameter.follow", { name: project.name }), icon: "people", isAction: true, press: follow }).element)];
    }

    async function follow() {
        try {
            await store.followProject(id, name);
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }

    /**
     * @param {Change} change
     * @param {Parameter | null} [parameter] What the person saw: what was changed since then is not overwritten unseen.
     * @returns {Promise<void>}
     */
    async function save(change, parameter = store.parameterOf(id, name)) {
        if (!parameter) return;
        try {
            await store.changeParameter(id, parameter, change);
        } catch (error) {
            if (!isProblem(error) || error.status !== 412) throw error;
            await store.readParameters(id);
            throw new ChangedElsewhere();
        }
    }

    const end = effect([store.parameters, store.devices], update);
    return {
        unmount() {
            end();
            month.remove();
            trials.end();
        },
    };
}
