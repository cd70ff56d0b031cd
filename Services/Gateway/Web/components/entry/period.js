/** Two fields in which a person says from when until when. */

import { h } from "../../page/dom.js";
import { instantOf } from "../../words/time.js";
import { createField } from "../field/field.js";
import { wallOf } from "./when.js";

/** @typedef {import("../../water/series.js").Period} Period */

/**
 * @param {Pick<import("../../app/context.js").Context, 't' | 'format'>} context
 * @param {Period} period What they say at first.
 * @param {() => void} [changed]
 */
export function createPeriod({ t, format }, period, changed) {
    const began = [period.from, period.to].map((time) => wallOf(time, format.zone));
    let known = [period.from, period.to];
    const fields = ["from", "until"].map((name, index) =>
        createField({ label: t(`records.${name}`), name, type: "datetime-local", value: began[index], onInput: changed })
    );

    /** A field that is left alone is the very time, not its minute. @param {number} index */
    function timeOf(index) {
        if (fields[index].value === began[index]) return known[index];
        const wall = Date.parse(`${fields[index].value}Z`);
        return Number.isNaN(wall) ? null : instantOf(wall, format.zone);
    }

    return {
        element: h("div", { class: "form-pair" }, fields.map(({ element }) => element)),

        /** @param {Period} next */
        show(next) {
            known = [next.from, next.to];
            known.forEach((time, index) => fields[index].input.value = began[index] = wallOf(time, format.zone));
        },

        /** The period; null where it cannot be, which is told beside the field. @returns {Period | null} */
        read() {
            const [from, to] = [timeOf(0), timeOf(1)];
            const wrong = from === null ? 0 : to === null || from >= to ? 1 : null;
            if (from !== null && to !== null && wrong === null) return { from, to };
            const field = fields[wrong ?? 1];
            field.setFault({ what: t(from === null || to === null ? "journal.when_wrong" : "records.order") });
            field.focus();
            return null;
        },
    };
}
