/** One parameter of a device: its limits, its unit, its colour. */

import { actingAs } from "../../app/acting.js";
import { createTrials } from "../../app/trials.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { createMonth } from "../../components/month/month.js";
import { createSubPage } from "../../components/page/page.js";
import { openChoice } from "../../components/picker/choice.js";
import { inkOf, setInk } from "../../drawing/ink.js";
import { h, setText } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { mayAct } from "../../water/projects.js";
import { computedText } from "../../water/range-text.js";
import { ChangedElsewhere, isProblem } from "../../words/problem.js";
import { createHues } from "./hues.js";
import { otherTimes } from "./other-times.js";
import { pickLimit } from "./pick-limit.js";
import { settings } from "./settings.js";

/** @typedef {import("../../water/tanks.js").Parameter} Parameter */
/** @typedef {import("../../water/limits.js").RangeChange} Change */

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, { device: id, parameter: name }) {
    const { t, store, format } = context;
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

    /** What a press does, but for who only looks. @param {() => unknown} press */
    const offered = (press) => mayAct(store.deviceOf(id)) ? () => void press() : undefined;

    /** @param {Parameter} parameter */
    function content(parameter) {
        const { unit, units, minimum, maximum, decimals, colour } = parameter;
        /** @param {number | null} value */
        const text = (value) => value === null ? t("parameter.noLimit") : format.withUnit(format.number(value, decimals), unit);
        const dot = h("span", { class: "parameter-dot" });
        setInk(dot, colour);
        const computed = computedText(context, parameter);
        const last = store.latest.value.get(id)?.get(name);
        const isLookedAt = !mayAct(store.deviceOf(id));
        return [
            month.element,
            h(
                "p",
                { class: "parameter-lead quiet" },
                dot,
                h("span", null, t(parameter.hasMinimum ? "parameter.lead" : "parameter.leadMaximum")),
            ),
            h("h2", { class: "section-head" }, t("parameter.limits")),
            createList(
                parameter.hasMinimum
                    ? createRow({
                        name: t("parameter.minimum"),
                        value: text(minimum),
                        press: offered(() => pickLimit(context, { parameter, limit: "minimum", save, read: () => store.parameterOf(id, name), trials })),
                    }).element
                    : null,
                createRow({
                    name: t("parameter.maximum"),
                    value: text(maximum),
                    press: offered(() => pickLimit(context, { parameter, limit: "maximum", save, read: () => store.parameterOf(id, name), trials })),
                }).element,
                units.length > 1
                    ? createRow({
                        name: t("parameter.unit"),
                        value: unitName(unit),
                        press: offered(() =>
                            openChoice(context, {
                                title: t("parameter.unit"),
                                options: units.map((value) => ({ value, text: unitName(value) })),
                                value: unit,
                                onChoose: (value) => save({ unit: value }),
                            })
                        ),
                    }).element
                    : null,
            ),
            ...followingRow(parameter),
            h("p", { class: "rows-note" }, t("parameter.sensor", { least: text(parameter.least), greatest: text(parameter.greatest) })),
            computed === "" ? null : h("p", { class: "rows-note" }, computed),
            ...otherTimes(context, { parameter, save: isLookedAt ? undefined : (periods) => save({ periods: [...periods] }, parameter) }),
            h("h2", { class: "section-head" }, t("parameter.alarm")),
            createList(...settings.map((setting) => "isOffered" in setting ? wheelRow(parameter, setting) : choiceRow(parameter, setting))),
            h("p", { class: "rows-note" }, t("parameter.alarm_note")),
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
     * @param {Parameter} parameter
     * @param {import("./settings.js").Wheel} setting
     */
    function wheelRow(parameter, { field, name: key, isOffered }) {
        if (!isOffered(parameter)) return null;
        const value = parameter[field] ?? null;
        return createRow({
            name: t(key),
            value: value === null ? t("parameter.noLimit") : format.withUnit(format.number(value, parameter.decimals), parameter.unit),
            press: offered(() => pickLimit(context, { parameter, limit: field, save, read: () => store.parameterOf(id, name), trials })),
        }).element;
    }

    /**
     * @param {Parameter} parameter
     * @param {import("./settings.js").Choice} setting
     */
    function choiceRow(parameter, setting) {
        const values = setting.values(parameter);
        if (values.length === 0) return null;
        const present = setting.valueOf(parameter);
        return createRow({
            name: t(setting.name),
            value: setting.text(context, present, parameter),
            press: offered(() =>
                openChoice(context, {
                    title: t(setting.name),
                    lead: t(setting.lead),
                    options: values.map((value) => ({
                        value: String(value),
                        text: setting.text(context, value, parameter),
                        detail: setting.detail?.(context, value),
                    })),
                    value: String(present),
                    onChoose: (chosen) => save({ [setting.field]: values.find((value) => String(value) === chosen) }),
                })
            ),
        }).element;
    }

    /** @param {string} unit */
    function unitName(unit) {
        return format.withUnit("", unit).trim() || t("parameter.noUnit");
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
