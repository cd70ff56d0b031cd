/** Changes in words. */

import { classOf } from "../../water/change.js";

/** @typedef {import("../../water/change.js").ChangePoint} ChangePoint */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {() => {unit: string, decimals: number}} scale
 */
export function createTexts({ t, format }, scale) {
    /** A change with its sign. @param {number | null} value */
    function signed(value) {
        if (value === null) return "–";
        const text = format.number(Math.abs(value), scale().decimals);
        const isNone = Number(Math.abs(value).toFixed(scale().decimals)) === 0;
        return isNone ? text : `${value < 0 ? "−" : "+"}${text}`;
    }
    /** @param {number | null} value */
    const plain = (value) => value === null ? "–" : format.number(value, scale().decimals);
    /** @param {number | null} value */
    const withUnit = (value) => value === null ? "–" : format.withUnit(plain(value), scale().unit);
    /** @param {number | null} value */
    const signedWithUnit = (value) => value === null ? t("changeMap.class_none") : format.withUnit(signed(value), scale().unit);
    /** @param {number | null} rank */
    const word = (rank) => t(`changeMap.class_${classOf(rank)}`);

    return {
        /**
         * A moment, always with its day; among moments that may be a year from each other with its year, and without its hour.
         * @param {number} time
         * @param {boolean} isFar
         */
        when: (time, isFar) => isFar
            ? new Intl.DateTimeFormat(format.locale, { timeZone: format.zone, dateStyle: "medium" }).format(new Date(time))
            // A moment of another day has its day.
            : format.moment(time, 0),
        signed,
        withUnit,
        signedWithUnit,
        word,
        /** From what to what. @param {ChangePoint} point */
        course: ({ before, after }) => before === null || after === null ? t("changeMap.unknown") : t("changeMap.course", { before: plain(before), after: withUnit(after) }),
        /** How it is known. @param {ChangePoint} point */
        source({ byHand, readings, flagged }) {
            if (byHand) return t("changeMap.by_hand");
            if (readings === 0) return t("changeMap.no_readings");
            const count = t("changeMap.readings", { count: readings });
            return flagged > 0 ? `${count} · ${t("changeMap.flagged", { percent: format.number(flagged * 100, flagged < 0.095 ? 1 : 0) })}` : count;
        },
        /** All of it, for readers. @param {ChangePoint} point */
        label: (point) => point.change === null
            ? t("changeMap.point_unknown", { name: point.name })
            : t("changeMap.point", { name: point.name, change: signedWithUnit(point.change), word: word(point.class) }),
    };
}
