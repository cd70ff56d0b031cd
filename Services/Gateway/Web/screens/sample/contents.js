/** What a sample says: its values, and what was seen beside them. */

import { createList, createRow } from "../../components/list-row/list-row.js";
import { h } from "../../page/dom.js";
import { keyOf } from "../../water/field/protocol.js";
import { partText, spotLabel } from "../../water/field/text.js";
import { valueText } from "../../water/field/values.js";

/** @typedef {import("../../water/field/received.js").Found} Found */
/** @typedef {import("../../water/field/protocol.js").Protocol} Protocol */
/** @typedef {import("../../water/field/values.js").Value} Value */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {readonly Value[]} values
 * @param {Protocol} protocol
 */
export function valuesOf(context, values, protocol) {
    const rows = values.map((value) => {
        const field = protocol.fields.find(({ id }) => id === value.field);
        return createRow({ name: spotLabel(context, keyOf(value.field, value), protocol), value: valueText(context, field, value) }).element;
    });
    return rows.length > 0 ? createList(...rows) : h("p", { class: "quiet" }, context.t("field.no_values"));
}

/**
 * @param {import("../../app/context.js").Context} context
 * @param {Found & {track?: readonly unknown[]}} sample
 * @param {Protocol} protocol
 */
export function factsOf(context, sample, protocol) {
    /** @type {[string, unknown][]} */
    const facts = [
        ["begunAt", sample.begunAt], ["endedAt", sample.endedAt], ["surveyors", sample.surveyors], ["weather", sample.weather], ["habitat", sample.habitat],
        ["comment", sample.comment], ["position", sample.position], ["track", sample.track],
    ];
    const said = facts.filter(([, said]) => said && !(Array.isArray(said) && said.length === 0));
    return createList(...said.map(([part, said]) => createRow({ name: context.t(`field.part_${part}`), detail: partText(context, part, said, protocol) }).element));
}
