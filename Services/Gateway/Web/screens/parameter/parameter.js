/** One parameter of a device: its limits, its unit, its colour. */

import { createList, createRow } from "../../components/list-row/list-row.js";
import { createSubPage } from "../../components/page/page.js";
import { openChoice } from "../../components/picker/choice.js";
import { inkOf, setInk } from "../../drawing/ink.js";
import { h } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { changesOf, valuesOf } from "../../water/limits.js";
import { computedText } from "../../water/range-text.js";
import { ChangedElsewhere, isProblem } from "../../words/problem.js";
import { createHues } from "./hues.js";
import { createMonth } from "./month.js";
import { pickLimit } from "./pick-limit.js";
import { createTrials } from "./trials.js";

/** @typedef {import("../../water/tanks.js").Parameter} Parameter */
/** @typedef {import("../../water/limits.js").RangeChange} Change */
/** @typedef {import("../../water/limits.js").Limit} Limit */

/** For how long a value must have been out of range before it alarms, as people choose it, in seconds. */
const delays = [0, 60, 300, 600, 1800, 3600, 7200, 21_600, 43_200, 86_400];

/** How long before a limit is reached it is told, as people choose it, in minutes. */
const aheads = [15, 30, 60, 120, 180, 360];

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, { device: id, parameter: name }) {
    const { t, store, format } = context;
    const isKnown = t.has(`water.${name}_full`);
    const title = isKnown ? t(`water.${name}_full`) : t("devices.unknown");
    context.title(title);
    const page = createSubPage(context, { title, back: `/settings#${encodeURIComponent(id)}` });
    root.replaceChildren(...page.parts);
    const trials = createTrials(context, { device: id, name });
    const month = createMonth(context, { device: id, name, trials });
    let shown = "";

    function update() {
        const parameter = store.parameterOf(id, name);
        const device = store.deviceOf(id);
        const key = JSON.stringify([parameter, device?.name, store.devices.value === undefined]);
        if (key === shown) return;
        shown = key;
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
        const { unit, units, minimum, maximum, decimals, colour } = parameter;
        /** @param {number | null} value */
        const text = (value) => value === null ? t("parameter.noLimit") : format.withUnit(format.number(value, decimals), unit);
        const dot = h("span", { class: "parameter-dot" });
        setInk(dot, colour);
        const computed = computedText(context, parameter);
        const last = store.latest.value.get(id)?.get(name);
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
                        press: () => pickLimit(context, { parameter, limit: "minimum", save, read: () => store.parameterOf(id, name), trials }),
                    }).element
                    : null,
                createRow({
                    name: t("parameter.maximum"),
                    value: text(maximum),
                    press: () => pickLimit(context, { parameter, limit: "maximum", save, read: () => store.parameterOf(id, name), trials }),
                }).element,
                units.length > 1
                    ? createRow({
                        name: t("parameter.unit"),
                        value: unitName(unit),
                        press: () =>
                            openChoice(context, {
                                title: t("parameter.unit"),
                                options: units.map((value) => ({ value, text: unitName(value) })),
                                value: unit,
                                onChoose: (value) => save({ unit: value }),
                            }),
                    }).element
                    : null,
            ),
            h("p", { class: "rows-note" }, t("parameter.sensor", { least: text(parameter.least), greatest: text(parameter.greatest) })),
            computed === "" ? null : h("p", { class: "rows-note" }, computed),
            h("h2", { class: "section-head" }, t("parameter.alarm")),
            createList(
                createRow({
                    name: t("parameter.delay"),
                    value: delayText(parameter.delaySeconds ?? 0),
                    press: () => chooseDelay(parameter.delaySeconds ?? 0),
                }).element,
                createRow({
                    name: t("parameter.unstable"),
                    value: unstableText(parameter.tellsUnstable ?? false),
                    press: () => chooseUnstable(parameter.tellsUnstable ?? false),
                }).element,
                criticalRow(parameter, "criticalMinimum"),
                criticalRow(parameter, "criticalMaximum"),
                changeRow(parameter),
                aheadRow(parameter),
            ),
            h("p", { class: "rows-note" }, t("parameter.alarm_note")),
            h("h2", { class: "section-head" }, t("parameter.colour")),
            createHues(context, { hue: inkOf(colour).hue, colour, onChoose: (value) => save({ colour: value }) }),
            h("p", { class: "rows-note" }, t("parameter.colour_note")),
            last
                ? h("p", { class: "parameter-more" }, h("a", { class: "button", href: `/p/${encodeURIComponent(id)}/${name}` }, t("parameter.graph")))
                : null,
        ].filter((part) => part !== null);
    }

    /**
     * A critical limit lies beyond another one, without which there is none.
     * @param {Parameter} parameter
     * @param {'criticalMinimum' | 'criticalMaximum'} limit
     */
    function criticalRow(parameter, limit) {
        const value = parameter[limit] ?? null;
        const other = limit === "criticalMinimum" ? parameter.minimum : parameter.maximum;
        if (other === null || valuesOf(parameter, limit).length === 0) return null;
        return createRow({
            name: t(`parameter.${limit}`),
            value: value === null ? t("parameter.noLimit") : format.withUnit(format.number(value, parameter.decimals), parameter.unit),
            press: () => pickLimit(context, { parameter, limit, save, read: () => store.parameterOf(id, name), trials }),
        }).element;
    }

    /**
     * How much the value may change within an hour.
     * @param {Parameter} parameter
     */
    function changeRow(parameter) {
        const { change, changePerHour = null } = parameter;
        if (!change) return null;
        /** @param {number | null} value */
        const text = (value) => value === null
            ? t("parameter.change_none")
            : t("parameter.change_inAnHour", { value: format.withUnit(format.number(value, change.decimals), change.unit) });
        return createRow({
            name: t("parameter.change"),
            value: text(changePerHour),
            press: () =>
                openChoice(context, {
                    title: t("parameter.change"),
                    lead: t("parameter.change_lead"),
                    options: [null, ...changesOf(parameter)].map((value) => ({ value: String(value), text: text(value) })),
                    value: String(changePerHour),
                    onChoose: (value) => save({ changePerHour: value === "null" ? null : Number(value) }),
                }),
        }).element;
    }

    /**
     * How long before a limit is reached it is told.
     * @param {Parameter} parameter
     */
    function aheadRow({ aheadMinutes, minimum, maximum }) {
        if (aheadMinutes === undefined || aheadMinutes === null && minimum === null && maximum === null) return null;
        /** @param {number | null} minutes */
        const text = (minutes) =>
            minutes === null ? t("parameter.ahead_none") : t("parameter.ahead_before", { span: format.duration(minutes * 60_000) });
        const times = aheadMinutes === null ? aheads : [...new Set([...aheads, aheadMinutes])].sort((one, other) => one - other);
        return createRow({
            name: t("parameter.ahead"),
            value: text(aheadMinutes),
            press: () =>
                openChoice(context, {
                    title: t("parameter.ahead"),
                    lead: t("parameter.ahead_lead"),
                    options: [null, ...times].map((minutes) => ({ value: String(minutes), text: text(minutes) })),
                    value: String(aheadMinutes),
                    onChoose: (value) => save({ aheadMinutes: value === "null" ? null : Number(value) }),
                }),
        }).element;
    }

    /** @param {number} seconds */
    function delayText(seconds) {
        return seconds === 0 ? t("parameter.delay_none") : t("parameter.delay_after", { span: format.duration(seconds * 1000) });
    }

    /** @param {number} present */
    function chooseDelay(present) {
        const all = [...new Set([...delays, present])].sort((one, other) => one - other);
        openChoice(context, {
            title: t("parameter.delay"),
            lead: t("parameter.delay_lead"),
            options: all.map((seconds) => ({ value: String(seconds), text: delayText(seconds) })),
            value: String(present),
            onChoose: (value) => save({ delaySeconds: Number(value) }),
        });
    }

    /** @param {boolean} isOnce */
    function unstableText(isOnce) {
        return t(isOnce ? "parameter.unstable_once" : "parameter.unstable_each");
    }

    /** @param {boolean} present */
    function chooseUnstable(present) {
        openChoice(context, {
            title: t("parameter.unstable"),
            lead: t("parameter.unstable_lead"),
            options: [false, true].map((isOnce) => ({
                value: String(isOnce),
                text: unstableText(isOnce),
                detail: t(isOnce ? "parameter.unstable_onceDetail" : "parameter.unstable_eachDetail"),
            })),
            value: String(present),
            onChoose: (value) => save({ tellsUnstable: value === "true" }),
        });
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
