/** The field in which a person says when something was: a time that is left alone is the one that was known, or now. */

import { civil, instantOf, minute, twoDigits } from "../../words/time.js";
import { createField } from "../field/field.js";

/** The service's clock and this one may differ by so much. */
const slack = 5 * minute;

/**
 * @param {Pick<import("../../app/context.js").Context, 't' | 'format'>} context
 * @param {string} at What it says at first.
 * @param {boolean} isKnown Whether that was written down before.
 */
export function createWhen({ t, format }, at, isKnown) {
    const began = wallOf(Date.parse(at), format.zone);
    const field = createField({ label: t("journal.when"), name: "when", type: "datetime-local", value: began });

    function timeOf() {
        if (field.value === began) return isKnown ? Date.parse(at) : Date.now();
        const wall = Date.parse(`${field.value}Z`);
        return Number.isNaN(wall) ? null : instantOf(wall, format.zone);
    }

    return {
        element: field.element,

        /** The time, as the service takes it; null where it cannot be, which is told beside the field. */
        read() {
            const time = timeOf();
            if (time !== null && time <= Date.now() + slack) return new Date(time).toISOString();
            field.setFault({ what: time === null ? t("journal.when_wrong") : t("journal.when_future") });
            field.focus();
            return null;
        },
    };
}

/**
 * What a clock on the wall shows, as fields have it.
 * @param {number} time
 * @param {string} zone
 */
export function wallOf(time, zone) {
    const { year, month, day, hour, minute } = civil(time, zone);
    return `${year}-${twoDigits(month)}-${twoDigits(day)}T${twoDigits(hour)}:${twoDigits(minute)}`;
}
