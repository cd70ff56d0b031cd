/** The sheet of a proposed limit: what it would have told, why it is so, from where; both limits can be changed, or left as they are. */

import { createButton } from "../../components/button/button.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { createMonth } from "../../components/month/month.js";
import { createPicker } from "../../components/picker/picker.js";
import { createShape } from "../../components/shape/shape.js";
import { h, set, setText } from "../../page/dom.js";
import { nearest, valuesOf } from "../../water/limits.js";
import { rangeText } from "../../water/range-text.js";
import { clashText, freeText } from "./reasons.js";

/** @typedef {import("../../water/questions.js").Choice} Choice */
/** @typedef {import("../../water/tanks.js").Parameter} Parameter */
/** @typedef {'minimum' | 'maximum'} Side */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} model
 * @param {string} model.device
 * @param {Choice} model.choice
 * @param {Parameter | null} model.parameter As it is now; null: not known, and the limits are taken or left as they are.
 * @param {import("../../app/trials.js").Trials} model.trials
 * @param {(next: Choice) => void} model.onChoose
 */
export function openLimit(context, { device, choice, parameter, trials, onChoose }) {
    const { t } = context;
    const { proposal } = choice;
    let { minimum, maximum } = choice;
    const range = h("p", { class: "questions-range" });
    // A month that nothing was measured in says nothing.
    const month = parameter && proposal.measured !== false
        ? createMonth(context, {
            device,
            name: proposal.parameter,
            trials,
            queryOf: (own) => ({ minimum: own.minimum ?? "none", maximum: own.maximum ?? "none", days: 30 }),
        })
        : null;
    const changer = h("div");
    const keep = createButton({ text: t("questions.keep"), kind: "primary", press: () => close({ isChosen: true }) });
    const none = createButton({ text: t("questions.noLimit"), press: () => ([minimum, maximum] = [null, null], close({ isChosen: true })) });
    const leave = createButton({ text: t("questions.leave"), kind: "text", press: () => close({ isChosen: false }) });

    /** @param {{isChosen: boolean}} next */
    function close(next) {
        onChoose({ ...choice, minimum, maximum, ...next });
        sheet.close();
    }

    function show() {
        setText(range, rangeText(context, { minimum, maximum, decimals: proposal.decimals, unit: proposal.unit }));
        if (parameter) month?.update({ ...parameter, minimum, maximum });
        for (const { side, row } of rows) row.update({ value: valueOf(side) });
    }

    /**
     * One of the two limits on a wheel: what the sensor tells apart, and never beyond the other one.
     * @param {Side} side
     */
    function change(side) {
        if (!parameter) return;
        const beside = { ...parameter, minimum, maximum, criticalMinimum: null, criticalMaximum: null };
        const values = valuesOf(beside, side);
        if (values.length === 0) return;
        const present = beside[side];
        const picker = createPicker({
            label: t(`parameter.${side}`),
            values,
            index: nearest(values, present ?? (side === "minimum" ? parameter.least : parameter.greatest)),
            present: present === null ? -1 : nearest(values, present),
            text: (value) => context.format.number(value, parameter.decimals),
            unit: context.format.withUnit("", parameter.unit).trim(),
            onChange: (index) => take(side, values[index]),
            nearest: (value) => nearest(values, value),
            words: { present: t("questions.proposed"), less: t("parameter.less"), more: t("parameter.more") },
        });
        const none = createButton({ text: t(`parameter.no_${side}`), kind: "text", press: () => take(side, null) });
        changer.replaceChildren(picker.element, h("div", { class: "picker-buttons" }, picker.less, picker.more, none.element));
    }

    /** @param {Side} side */
    function valueOf(side) {
        const value = side === "minimum" ? minimum : maximum;
        return value === null ? t("questions.noLimit") : context.format.withUnit(context.format.number(value, proposal.decimals), proposal.unit);
    }

    /**
     * @param {Side} side
     * @param {number | null} value
     */
    function take(side, value) {
        if (side === "minimum") minimum = value;
        else maximum = value;
        show();
    }

    const sides = /** @type {Side[]} */ (parameter?.hasMinimum === false ? ["maximum"] : ["minimum", "maximum"]);
    const rows = sides.map((side) => ({
        side,
        row: createRow({ name: t(`parameter.${side}`), value: valueOf(side), press: () => change(side) }),
    }));
    const changing = h("div", { class: "questions-change" }, createList(...rows.map(({ row }) => row.element)), changer);
    set(changing, "hidden", parameter === null);
    const { minimum: least, maximum: most } = proposal;
    // What both have of the same is said once.
    const isShared = least !== null && most !== null && least.name === most.name && least.sources.join() === most.sources.join();
    const number = (/** @type {number} */ value) => context.format.number(value, proposal.decimals);
    /** @param {import("../../water/questions.js").Reason} reason @param {string} words */
    function why(reason, words) {
        const free = freeText(context, reason);
        return [
            h("p", { class: "small" }, h("strong", null, words), free === "" ? "" : ` ${free}.`),
            h("p", { class: "small" }, t("questions.from", { sources: reason.sources.join(", ") }), reason.convention ? ` ${t("devices.preset_convention")}` : ""),
        ];
    }

    const reasons = isShared
        ? why({ ...least, convention: least.convention || most.convention }, t("questions.why_both", { least: number(least.value), most: number(most.value), name: least.name }))
        : /** @type {Side[]} */ (["minimum", "maximum"]).flatMap((side) => {
            const reason = proposal[side];
            return reason ? why(reason, t(`questions.why_${side}`, { value: number(reason.value), name: reason.name })) : [];
        });
    const sheet = context.sheet({
        title: t(`water.${proposal.parameter}_full`),
        onClose: () => month?.remove(),
        body: [
            range,
            month?.element ?? null,
            proposal.clash ? h("p", { class: "questions-clash" }, createShape("late"), h("span", null, clashText(context, proposal))) : null,
            changing,
            ...reasons,
            h("div", { class: "questions-end" }, keep.element, none.element, leave.element),
        ],
    });
    show();
}
