/** The sheet in which a limit is picked: only values that the sensor tells apart, and none that would cross the other one. */

import { h } from "../../app/dom.js";
import { nearest, valuesOf } from "../../app/limits.js";
import { createProblem } from "../../app/page.js";
import { createButton } from "../../components/button/button.js";
import { createPicker } from "../../components/picker/picker.js";

/** @typedef {import("../../app/limits.js").Limit} Limit */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} model
 * @param {import("../../app/water.js").Parameter} model.parameter
 * @param {Limit} model.limit
 * @param {(change: import("./parameter.js").Change) => Promise<void>} model.save
 */
export function pickLimit(context, { parameter, limit, save }) {
    const { t, format } = context;
    const values = valuesOf(parameter, limit);
    const present = parameter[limit];
    const other = limit === "minimum" ? parameter.maximum : parameter.minimum;
    const start = nearest(values, present ?? (limit === "minimum" ? parameter.least : parameter.greatest));
    /** @param {number} value */
    const text = (value) => format.number(value, parameter.decimals);
    /** @param {number} value */
    const whole = (value) => format.withUnit(text(value), parameter.unit);
    const problem = createProblem();
    const picker = createPicker({
        label: t(`parameter.${limit}`),
        values,
        index: start,
        present: present === null ? -1 : start,
        text,
        unit: format.withUnit("", parameter.unit).trim(),
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
        press: () => store({ [limit]: null }),
    });

    function show() {
        problem.show("");
        button.setText(t("parameter.set", { value: whole(values[picker.index]) }));
        button.setEnabled(present === null || picker.index !== start);
    }

    /** @param {import("./parameter.js").Change} change */
    async function store(change) {
        problem.show("");
        try {
            await save(change);
            sheet.close();
        } catch (error) {
            problem.show(context.explain(error));
        }
    }

    const bound = limit === "minimum" ? values.at(-1) : values[0];
    const sheet = context.sheet({
        title: t(`parameter.${limit}`),
        lead: t(limit === "minimum" ? "parameter.below" : "parameter.above"),
        body: [
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
}
