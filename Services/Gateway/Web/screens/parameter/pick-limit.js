/** The sheet in which a limit is picked: only values that the sensor tells apart, and none that would cross the other one. */

import { createButton } from "../../components/button/button.js";
import { createProblem } from "../../components/page/page.js";
import { createPicker } from "../../components/picker/picker.js";
import { h, setText } from "../../page/dom.js";
import { nearest, neighboursOf, valuesOf } from "../../water/limits.js";
import { ChangedElsewhere } from "../../words/problem.js";
import { createCounts } from "./counts.js";

/** @typedef {import("../../water/limits.js").Limit} Limit */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} model
 * @param {import("../../water/tanks.js").Parameter} model.parameter
 * @param {Limit} model.limit
 * @param {(change: import("./parameter.js").Change, parameter: import("../../water/tanks.js").Parameter) => Promise<void>} model.save
 * @param {() => import("../../water/tanks.js").Parameter | null} model.read How the parameter is now.
 * @param {import("../../app/trials.js").Trials | null} model.trials null where limits are for more than one device.
 */
export function pickLimit(context, { parameter, limit, save, read, trials }) {
    const { t, format } = context;
    const values = valuesOf(parameter, limit);
    const present = parameter[limit] ?? null;
    const [above, below] = neighboursOf(parameter, limit);
    // The neighbour on the side of the range; where a critical limit begins, too.
    const isLower = limit === "minimum" || limit === "criticalMinimum";
    const other = isLower ? below : above;
    const isCritical = limit === "criticalMinimum" || limit === "criticalMaximum";
    const start = nearest(values, present ?? (isCritical && other !== null ? other : isLower ? parameter.least : parameter.greatest));
    /** @param {number} value */
    const text = (value) => format.number(value, parameter.decimals);
    /** @param {number} value */
    const whole = (value) => format.withUnit(text(value), parameter.unit);
    const problem = createProblem();
    /** What the person knows of: a change from elsewhere is told before it is overwritten. */
    let seen = parameter;
    const heading = h("span", null);
    // How often a critical limit was passed says little: it only tells what alarms anyway.
    const counts = trials && (limit === "minimum" || limit === "maximum") ? createCounts(context, { trials, limit, values, onChange: count }) : null;
    const picker = createPicker({
        label: t(`parameter.${limit}`),
        values,
        index: start,
        present: present === null ? -1 : start,
        text,
        unit: format.withUnit("", parameter.unit).trim(),
        beside: counts?.text,
        onChange: show,
        nearest: (value) => nearest(values, value),
        words: { present: t("parameter.present"), less: t("parameter.less"), more: t("parameter.more") },
    });
    const button = createButton({
        text: "",
        busyText: t("common.saving"),
        kind: "primary",
        press: () => store({ [limit]: values[picker.index] }),
    });
    button.element.classList.add("picker-set");
    const none = present === null ? null : createButton({
        text: t(`parameter.no_${limit}`),
        kind: "text",
        press: () => store(isCritical ? { [limit]: null } : { [limit]: null, ...critical() }),
    });

    /** Without a limit there is no critical one beyond it. */
    function critical() {
        const beyond = limit === "minimum" ? "criticalMinimum" : "criticalMaximum";
        return (seen[beyond] ?? null) === null ? {} : { [beyond]: null };
    }

    function show() {
        problem.show("");
        button.setText(t("parameter.set", { value: whole(values[picker.index]) }));
        const current = seen[limit] ?? null;
        button.setEnabled(current === null || picker.index !== nearest(values, current));
        counts?.look(picker.index);
    }

    function count() {
        picker.update();
        setText(heading, counts?.heading ?? "");
    }

    /** @param {import("./parameter.js").Change} change */
    async function store(change) {
        problem.show("");
        try {
            await save(change, seen);
            sheet.close();
        } catch (error) {
            if (error instanceof ChangedElsewhere) tell(error);
            else problem.show(context.explain(error));
        }
    }

    /**
     * What was picked stays, beside how it is now; in another unit it would mean something else.
     * @param {ChangedElsewhere} error
     */
    function tell(error) {
        const now = read();
        if (!now || now.unit !== parameter.unit) {
            sheet.close();
            return context.toast({ text: context.explain(error) });
        }
        seen = now;
        show();
        const value = now[limit] ?? null;
        problem.show(`${context.explain(error)} ${t(`parameter.${limit}`)}: ${value === null ? t("parameter.noLimit") : whole(value)}`);
    }

    const bound = isLower ? values.at(-1) : values[0];
    const sheet = context.sheet({
        title: t(`parameter.${limit}`),
        onClose: () => counts?.end(),
        body: [
            h("p", { class: "picker-heads small" }, h("span", null, t(`parameter.lead_${limit}`)), heading),
            picker.element,
            h("div", { class: "picker-buttons" }, picker.less, picker.more, button.element),
            problem.element,
            other !== null && bound !== undefined
                ? h("p", { class: "small quiet" }, t(`parameter.bound_${limit}`, { value: text(bound), other: text(other) }))
                : null,
            none?.element ?? null,
        ],
    });
    show();
    count();
}
