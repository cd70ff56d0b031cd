/** Limits at other times: what holds now, a row for each time, and the sheet in which one is set. */

import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { createProblem } from "../../components/page/page.js";
import { createSegmented } from "../../components/segmented/segmented.js";
import { h, set, setText } from "../../page/dom.js";
import { heldText, limitsText, periodName } from "../../water/period-text.js";
import { mostPeriods } from "../../water/periods.js";
import { parseNumber } from "../../words/numbers.js";

/** @typedef {import("../../water/periods.js").LimitPeriod} LimitPeriod */
/** @typedef {import("../../water/tanks.js").Parameter} Parameter */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} model
 * @param {Parameter} model.parameter
 * @param {((periods: readonly LimitPeriod[]) => Promise<void>) | undefined} model.save undefined for who only looks.
 * @param {import("../../app/trials.js").Trials | null} model.trials null where they are of no device.
 * @returns {HTMLElement[]} None where there is nothing to see, or a service of before knows of none.
 */
export function otherTimes(context, { parameter, save, trials }) {
    const { t } = context;
    const { periods, periodZone } = parameter;
    if (!periods || !save && periods.length === 0) return [];
    const held = heldText(parameter, context);
    const rows = periods.map((period, index) =>
        createRow({
            name: periodName(period, context),
            value: limitsText(parameter, period, context),
            press: save && (() => openPeriod(context, { parameter, index, save, trials })),
        }).element
    );
    const add = save && periods.length < mostPeriods
        ? createRow({ name: t("parameter.times_add"), icon: "plus", isAction: true, press: () => openPeriod(context, { parameter, index: periods.length, save, trials }) }).element
        : null;
    const note = periodZone ? t("parameter.times_zone", { zone: periodZone.replaceAll("_", " ") }) : t("parameter.times_lead");
    return [
        h("h2", { class: "section-head" }, t("parameter.times")),
        ...held === "" ? [] : [h("p", { class: "rows-note times-held", role: "status" }, held)],
        createList(...[...rows, add].filter((row) => row !== null)),
        h("p", { class: "rows-note" }, note),
    ];
}

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} model
 * @param {Parameter} model.parameter
 * @param {number} model.index Beyond the last one: another one.
 * @param {(periods: readonly LimitPeriod[]) => Promise<void>} model.save
 * @param {import("../../app/trials.js").Trials | null} model.trials
 */
function openPeriod(context, { parameter, index, save, trials }) {
    const { t, format } = context;
    const { periods = [], decimals, unit } = parameter;
    const present = periods[index] ?? null;
    const problem = createProblem();
    const told = h("p", { class: "small", role: "status" });
    const calm = () => {
        problem.show("");
        setText(told, "");
    };
    let hasHours = present === null || present.from !== null;
    let hasSeason = present !== null && present.firstDay !== null;
    const from = createField({ label: t("parameter.times_from"), name: "from", type: "time", onInput: calm, value: present?.from ?? "" });
    const until = createField({ label: t("parameter.times_until"), name: "until", type: "time", onInput: calm, value: present?.until ?? "" });
    const first = createField({ label: t("parameter.times_firstDay"), name: "firstDay", type: "date", onInput: calm, value: dateOf(present?.firstDay) });
    const last = createField({ label: t("parameter.times_lastDay"), name: "lastDay", type: "date", onInput: calm, value: dateOf(present?.lastDay) });
    const hours = h("div", { class: "times-pair" }, from.element, until.element);
    const season = h("div", null, h("div", { class: "times-pair" }, first.element, last.element), h("p", { class: "small quiet" }, t("parameter.times_each")));
    const daily = createSegmented({
        label: t("parameter.times_hours"),
        options: [{ value: "all", text: t("parameter.times_allDay") }, { value: "some", text: t("parameter.times_hours") }],
        value: hasHours ? "some" : "all",
        onChoose: (value) => show(value === "some", hasSeason),
    });
    const yearly = createSegmented({
        label: t("parameter.times_season"),
        options: [{ value: "all", text: t("parameter.times_allYear") }, { value: "some", text: t("parameter.times_season") }],
        value: hasSeason ? "some" : "all",
        onChoose: (value) => show(hasHours, value === "some"),
    });
    /** @param {'minimum' | 'maximum'} side */
    const limitField = (side) => {
        const value = present?.[side] ?? null;
        const label = format.withUnit(t(`parameter.${side}`), unit === "" ? "" : `(${format.withUnit("", unit).trim()})`);
        return createField({ label, name: side, inputmode: "decimal", onInput: calm, placeholder: t("parameter.noLimit"), value: value === null ? "" : format.number(value, decimals) });
    };
    const minimum = parameter.hasMinimum ? limitField("minimum") : null;
    const maximum = limitField("maximum");
    const button = createButton({ text: t("parameter.times_save"), busyText: t("common.saving"), kind: "primary", press: store });
    const trial = trials && createButton({ text: t("dryRun.ask"), busyText: t("dryRun.asking"), kind: "text", press: tell });
    const remove = present === null ? null : createButton({
        text: t("parameter.times_remove"),
        busyText: t("common.saving"),
        kind: "text",
        press: () => send(periods.filter((_, place) => place !== index)),
    });

    /** @param {boolean} byHours @param {boolean} bySeason */
    function show(byHours, bySeason) {
        [hasHours, hasSeason] = [byHours, bySeason];
        set(hours, "hidden", !hasHours);
        set(season, "hidden", !hasSeason);
        calm();
    }

    /** @param {ReturnType<typeof createField> | null} field @returns {number | null | undefined} undefined: no number. */
    function limitOf(field) {
        const text = field?.value.trim() ?? "";
        return text === "" ? null : parseNumber(text) ?? undefined;
    }

    /** The periods as they would be; null, and told why, where they cannot. */
    function wished() {
        const refuse = (/** @type {string} */ text) => (problem.show(text), null);
        if (!hasHours && !hasSeason) return refuse(t("parameter.times_neither"));
        if (hasHours && !(from.value && until.value) || hasSeason && !(first.value && last.value)) return refuse(t("parameter.times_incomplete"));
        const [low, high] = [limitOf(minimum), limitOf(maximum)];
        if (low === undefined || high === undefined) return refuse(t("parameter.times_number", { field: t(`parameter.${low === undefined ? "minimum" : "maximum"}`) }));
        return periods.toSpliced(index, 1, {
            from: hasHours ? from.value.slice(0, 5) : null,
            until: hasHours ? until.value.slice(0, 5) : null,
            firstDay: hasSeason ? first.value.slice(5) : null,
            lastDay: hasSeason ? last.value.slice(5) : null,
            minimum: low,
            maximum: high,
            // What lies beyond a limit goes with it.
            criticalMinimum: low === null ? null : present?.criticalMinimum ?? null,
            criticalMaximum: high === null ? null : present?.criticalMaximum ?? null,
        });
    }

    async function store() {
        const next = wished();
        if (next) await send(next);
    }

    /** What they would have told lately. */
    async function tell() {
        calm();
        const next = wished();
        if (!next || !trials) return;
        try {
            const row = await trials.compare({ unit, periods: next });
            setText(told, [t("dryRun.next", { count: row.next }), t("dryRun.present", { count: row.present }), row.isTooNew || !row.isMeasured ? t("dryRun.tooNew") : ""].join(" "));
        } catch (error) {
            problem.show(context.explain(error));
        }
    }

    /** @param {readonly LimitPeriod[]} next */
    async function send(next) {
        calm();
        try {
            await save(next);
            sheet.close();
        } catch (error) {
            problem.show(context.explain(error));
        }
    }

    const sheet = context.sheet({
        title: present === null ? t("parameter.times_new") : periodName(present, context),
        body: [
            h("div", { class: "times-form" }, daily.element, hours, yearly.element, season, minimum?.element ?? null, maximum.element),
            problem.element,
            told,
            h("div", { class: "times-end" }, button.element, trial?.element ?? null, remove?.element ?? null),
        ],
    });
    show(hasHours, hasSeason);
}

/**
 * A day of any year as a date field takes it: of a leap year, which has every day.
 * @param {string | null | undefined} day
 */
function dateOf(day) {
    return day ? `2024-${day}` : "";
}
