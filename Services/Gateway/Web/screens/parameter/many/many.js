/** Limits for many tanks at once: which tanks, both limits of a parameter or a preset, how many change, and what they would have told. */

import { actingAs } from "../../../app/acting.js";
import { dryRunOf } from "../../../app/dry-run.js";
import { projectsOf } from "../../../app/projects.js";
import { createButton } from "../../../components/button/button.js";
import { openDryRun } from "../../../components/dry-run/dry-run.js";
import { createList, createRow } from "../../../components/list-row/list-row.js";
import { createEmpty, createProblem, createSubPage } from "../../../components/page/page.js";
import { openChoice } from "../../../components/picker/choice.js";
import { ownPresetsOf } from "../../../components/presets/own.js";
import { limitsRow, presetOption, readPresets, readWholeLimits } from "../../../components/presets/presets.js";
import { createSegmented } from "../../../components/segmented/segmented.js";
import { h, set, setText } from "../../../page/dom.js";
import { effect } from "../../../page/signals.js";
import { changesOf } from "../../../water/limits-of-many.js";
import { groupsOf, parametersOf } from "../../../water/overview.js";
import { rangeText } from "../../../water/range-text.js";
import { joined } from "../../../words/sentence.js";
import { pickLimit } from "../pick-limit.js";

/** @typedef {import("../../../water/tanks.js").Parameter} Parameter */
/** @typedef {import("../../../water/presets.js").Preset} Preset */

/**
 * @param {HTMLElement} root
 * @param {import("../../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, store, format } = context;
    const page = createSubPage(context, { title: t("many.title"), back: "/tanks" });
    context.title(t("many.title"));
    const acting = actingAs();
    /** @type {Set<string>} */
    const chosen = new Set();
    /** @type {string | null} */
    let name = null;
    /** @type {import("../../../water/limits-of-many.js").Wish} */
    let wish = {};
    /** The preset in place of limits of one parameter; undefined: none is meant, null: it is not chosen yet. @type {Preset | null | undefined} */
    let preset;
    const way = createSegmented({
        label: t("many.way"),
        options: [{ value: "parameter", text: t("many.way_parameter") }, { value: "preset", text: t("many.way_preset") }],
        value: "parameter",
        onChoose: (value) => {
            preset = value === "preset" ? null : undefined;
            update();
        },
    });
    const trial = createButton({ text: t("dryRun.ask"), kind: "text", press: () => openDryRun(context, dryRunOf(context), tried) });
    const limits = h("div");
    const all = h("button", { class: "button button-text", type: "button", onclick: chooseAll });
    const tanks = h("div");
    const count = h("p", { class: "rows-note", role: "status" });
    const problem = createProblem();
    const button = createButton({ text: t("many.set"), busyText: t("common.saving"), kind: "primary", isLarge: true, press: save });
    page.body.append(
        h("p", { class: "rows-note many-lead" }, acting ? t("many.lead_project", { name: acting.name }) : t("many.lead")),
        h("div", { class: "many-way" }, way.element),
        limits,
        h("div", { class: "many-head" }, h("h2", { class: "section-head" }, t("many.tanks")), all),
        tanks,
        h("div", { class: "many-foot" }, h("div", { class: "many-say" }, count, trial.element), problem.element, button.element),
    );
    root.replaceChildren(...page.parts);
    let shown = "";
    /** Those that the person does not only look at. */
    const own = () => (store.tanks.value ?? []).filter(({ isLookedAt }) => !isLookedAt);

    /** The parameter as the first chosen tank has it, with the limits that are to be set. @returns {Parameter | null} */
    function model() {
        if (name === null) return null;
        const wanted = name;
        const having = own().filter(({ id }) => store.parameterOf(id, wanted));
        const first = having.find(({ id }) => chosen.has(id)) ?? having[0];
        const parameter = first ? store.parameterOf(first.id, wanted) : null;
        return parameter && { ...parameter, criticalMinimum: null, criticalMaximum: null, ...wish };
    }

    function outcome() {
        const parameter = model();
        if (!parameter) return { changes: [], others: 0, crossed: 0 };
        return changesOf(wish, parameter, [...chosen].map((device) => ({ device, parameter: store.parameterOf(device, parameter.name) })));
    }

    function update() {
        const all = own();
        const known = new Set(all.map(({ id }) => id));
        for (const id of chosen) if (!known.has(id)) chosen.delete(id);
        if (all.length === 0 && store.tanks.value?.length) return page.body.replaceChildren(createEmpty(t("projects.only_look")));
        const parameters = parametersOf(all);
        if (name === null || !parameters.includes(name)) name = parameters[0] ?? null;
        const key = JSON.stringify([name, wish, preset === undefined ? 0 : preset, all.map(({ id, name }) => [id, name]), [...chosen], name && all.map(({ id }) => store.parameterOf(id, name ?? ""))]);
        if (key === shown) return;
        shown = key;
        const focused = [...page.body.querySelectorAll("button, input")].indexOf(/** @type {Element} */ (document.activeElement));
        showLimits(parameters);
        showTanks(all);
        tell();
        if (focused >= 0) /** @type {HTMLElement | undefined} */ ([...page.body.querySelectorAll("button, input")][focused])?.focus();
    }

    /** @param {readonly string[]} parameters */
    function showLimits(parameters) {
        if (preset !== undefined) return showPreset(preset);
        const parameter = model();
        if (!parameter) return limits.replaceChildren();
        limits.replaceChildren(createList(
            createRow({
                name: t("many.parameter"),
                value: t(`water.${parameter.name}_full`),
                press: () =>
                    openChoice(context, {
                        title: t("many.parameter"),
                        options: parameters.map((value) => ({ value, text: t(`water.${value}_full`) })),
                        value: parameter.name,
                        onChoose: (value) => {
                            name = value;
                            wish = {};
                            update();
                            return Promise.resolve();
                        },
                    }),
            }).element,
            parameter.hasMinimum && limitRow(parameter, "minimum"),
            limitRow(parameter, "maximum"),
        ));
    }

    /** @param {Preset | null} chosen */
    function showPreset(chosen) {
        limits.replaceChildren(
            createList(createRow({ name: t("many.way_preset"), value: chosen?.name ?? t("many.choose"), press: () => void choosePreset() }).element),
            ...chosen
                ? [
                    h("ul", { class: "preset-rows surface many-preset" }, ...chosen.limits.map((one) => limitsRow(context, { ...one, name: one.parameter, decimals: one.decimals ?? 1 }, one.convention))),
                    h("p", { class: "rows-note" }, t(chosen.own ? "presets.take_text" : "devices.preset_start")),
                ]
                : [],
        );
    }

    async function choosePreset() {
        try {
            const presets = await readPresets(context);
            openChoice(context, {
                title: t("many.way_preset"),
                options: presets.map((one) => presetOption(context, one)),
                value: preset?.id ?? null,
                onChoose: (id) => {
                    if (preset !== undefined) preset = presets.find((one) => one.id === id) ?? null;
                    update();
                    return Promise.resolve();
                },
            });
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }

    /** What is to be tried: on the tanks that change, of what they measure. */
    async function tried() {
        const some = own().filter(({ id }) => chosen.has(id));
        if (preset) {
            const measured = parametersOf(some);
            return { devices: some, limits: (await readWholeLimits(context, preset)).filter(({ parameter }) => measured.includes(parameter)) };
        }
        const parameter = model();
        const changed = new Set(outcome().changes.map(({ device }) => device));
        return { devices: some.filter(({ id }) => changed.has(id)), limits: parameter ? [{ parameter: parameter.name, unit: parameter.unit, ...wish }] : [] };
    }

    /**
     * @param {Parameter} parameter
     * @param {'minimum' | 'maximum'} limit
     */
    function limitRow(parameter, limit) {
        const value = wish[limit];
        return createRow({
            name: t(`parameter.${limit}`),
            value: value === undefined
                ? t("many.asItIs")
                : value === null
                ? t("parameter.noLimit")
                : format.withUnit(format.number(value, parameter.decimals), parameter.unit),
            press: () =>
                pickLimit(context, {
                    parameter,
                    limit,
                    read: model,
                    trials: null,
                    save: (change) => {
                        wish = { ...wish, [limit]: change[limit] ?? null };
                        update();
                        return Promise.resolve();
                    },
                }),
        }).element;
    }

    /** @param {readonly import("../../../water/headline.js").Tank[]} list */
    function showTanks(list) {
        const groups = groupsOf(store.devices.value ?? []);
        setText(all, t(chosen.size === list.length && list.length > 0 ? "many.none" : "many.all"));
        tanks.replaceChildren(...groups.flatMap((group) => {
            const inside = list.filter(({ id }) => group.devices.has(id));
            if (inside.length === 0) return [];
            return [
                groups.length > 1 ? h("h3", { class: "section-head" }, group.name ?? t("tanks.group_own")) : null,
                createList(...inside.map(tankRow)),
            ].filter((part) => part !== null);
        }));
    }

    /** @param {import("../../../water/headline.js").Tank} tank */
    function tankRow(tank) {
        const parameter = name === null || preset !== undefined ? null : store.parameterOf(tank.id, name);
        const box = h("input", { class: "many-box", type: "checkbox", checked: chosen.has(tank.id) });
        box.addEventListener("change", () => {
            if (box.checked) chosen.add(tank.id);
            else chosen.delete(tank.id);
            update();
        });
        return h(
            "li",
            { class: "row-place" },
            h("label", { class: "row" }, box, h("span", { class: "row-text" }, h("span", { class: "row-name" }, tank.name)), h("span", { class: "row-value" }, parameter ? rangeText(context, parameter) : preset === undefined ? "–" : "")),
        );
    }

    function chooseAll() {
        const ids = own().map(({ id }) => id);
        if (chosen.size === ids.length) chosen.clear();
        else for (const id of ids) chosen.add(id);
        update();
    }

    /** How many change, before anything does. */
    function tell() {
        if (preset !== undefined) return tellPreset();
        const { changes, others, crossed } = outcome();
        const isAsked = wish.minimum !== undefined || wish.maximum !== undefined;
        setText(
            count,
            chosen.size === 0
                ? t("many.chooseTanks")
                : !isAsked
                ? t("many.chooseLimits")
                : joined(
                    context,
                    t("many.count", { count: changes.length, all: chosen.size }),
                    others > 0 ? t("many.others", { count: others }) : "",
                    crossed > 0 ? t("many.crossed", { count: crossed }) : "",
                ),
        );
        offer(changes.length);
    }

    function tellPreset() {
        setText(count, chosen.size === 0 ? t("many.chooseTanks") : preset ? "" : t("many.choosePreset"));
        offer(preset ? chosen.size : 0);
    }

    /** @param {number} changes How many change. */
    function offer(changes) {
        button.setText(changes === 0 ? t("many.set") : t("many.setFor", { count: changes }));
        set(button.element, "aria-disabled", changes === 0 ? "true" : null);
        set(trial.element, "hidden", changes === 0);
    }

    async function save() {
        const { changes } = outcome();
        problem.show("");
        let done = 0;
        try {
            if (preset !== undefined) {
                if (!preset || chosen.size === 0) return;
                await ownPresetsOf(context).applyTo(preset.id, [...chosen], (count) => done = count);
                await store.refresh(["parameters"]).catch(() => {});
            } else if (acting && name !== null) {
                done = await projectsOf(context).limit(acting.id, name, { devices: changes.map(({ device }) => device), ...wish });
                await store.refresh(["parameters"]).catch(() => {});
            } else {
                for (const { device, parameter, change } of changes) {
                    await store.changeParameter(device, parameter, change);
                    done += 1;
                }
            }
            context.toast({ text: t("many.done", { count: done }) });
        } catch (error) {
            problem.show(done === 0 ? context.explain(error) : `${t("many.done", { count: done })} ${context.explain(error)}`);
        }
        update();
    }

    const end = effect([store.tanks, store.parameters], update);
    if (store.tanks.value === undefined) store.read().catch((error) => problem.show(context.explain(error, "read")));
    return { unmount: end };
}
