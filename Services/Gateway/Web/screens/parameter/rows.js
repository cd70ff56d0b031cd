/** The rows in which a parameter's limits are set, of a device or of a preset. */

import { createList, createRow } from "../../components/list-row/list-row.js";
import { openChoice } from "../../components/picker/choice.js";
import { h } from "../../page/dom.js";
import { otherTimes } from "./other-times.js";
import { pickLimit } from "./pick-limit.js";
import { settings } from "./settings.js";

/** @typedef {import("../../water/tanks.js").Parameter} Parameter */
/** @typedef {(change: import("../../water/limits.js").RangeChange, parameter?: Parameter) => Promise<void>} Save */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} model
 * @param {Parameter} model.parameter
 * @param {Save | undefined} model.save undefined for who only looks.
 * @param {() => Parameter | null} model.read How the parameter is now.
 * @param {import("../../app/trials.js").Trials | null} model.trials null where it is of no device.
 */
export function parameterRows(context, { parameter, save, read, trials }) {
    const { t, format } = context;
    const { unit, units, decimals } = parameter;
    /** @param {number | null} value */
    const text = (value) => value === null ? t("parameter.noLimit") : format.withUnit(format.number(value, decimals), unit);
    /** @param {string} name */
    const unitName = (name) => format.withUnit("", name).trim() || t("parameter.noUnit");
    /** What a press does, but for who only looks. @param {(save: Save) => unknown} press */
    const offered = (press) => save && (() => void press(save));

    /** @param {import("../../water/limits.js").Limit} limit @param {string} name */
    function limitRow(limit, name) {
        return createRow({ name: t(name), value: text(parameter[limit] ?? null), press: offered((save) => pickLimit(context, { parameter, limit, save, read, trials })) }).element;
    }

    /** @param {import("./settings.js").Choice} setting */
    function choiceRow(setting) {
        const values = setting.values(parameter);
        if (values.length === 0) return null;
        const present = setting.valueOf(parameter);
        return createRow({
            name: t(setting.name),
            value: setting.text(context, present, parameter),
            press: offered((save) =>
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

    return {
        limits: createList(
            parameter.hasMinimum ? limitRow("minimum", "parameter.minimum") : null,
            limitRow("maximum", "parameter.maximum"),
            units.length > 1
                ? createRow({
                    name: t("parameter.unit"),
                    value: unitName(unit),
                    press: offered((save) =>
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
        sensor: h("p", { class: "rows-note" }, t("parameter.sensor", { least: text(parameter.least), greatest: text(parameter.greatest) })),
        rest: [
            ...otherTimes(context, { parameter, save: save && ((periods) => save({ periods: [...periods] }, parameter)), trials }),
            h("h2", { class: "section-head" }, t("parameter.alarm")),
            createList(...settings.map((setting) => "isOffered" in setting ? setting.isOffered(parameter) ? limitRow(setting.field, setting.name) : null : choiceRow(setting))),
            h("p", { class: "rows-note" }, t("parameter.alarm_note")),
        ],
    };
}
