/** What the comparison is drawn from, and what it says in words and figures. */

import { domainOf } from "../../../drawing/geometry.js";
import { differenceOf, figuresIn, pieces } from "../../../water/compare.js";
import { endsOf } from "../../../water/ranges.js";
import { extentOf, pointAt } from "../../../water/series.js";
import { joined } from "../../../words/sentence.js";
import { graphModel } from "../details/graph-model.js";

/** @typedef {import("../../../app/context.js").Context} Context */
/** @typedef {import("../../../water/headline.js").Gauge} Gauge */
/** @typedef {import("../../../water/headline.js").Tank} Tank */
/** @typedef {import("../../../water/series.js").Period} Period */
/** @typedef {import("./reading.js").Course} Course */
/** @typedef {'parameters' | 'tanks' | 'before'} Mode */
/** @typedef {{tank: Tank, gauge: Gauge, course: Course | null}} Side */
/** @typedef {{name: string, cells: readonly {text: string, isOutside?: boolean, isStrong?: boolean}[]}} Row */


/**
 * @param {Context} context
 * @param {object} what
 * @param {Mode} what.mode
 * @param {Side} what.first
 * @param {Side | null} what.second
 * @param {Period} what.period
 * @param {{name: import("../details/spans.js").SpanName, length: number}} what.span
 * @param {boolean} what.hasLane
 * @param {string} what.label
 * @returns {import("../../../components/graph/model.js").GraphModel}
 */
export function compareModel(context, { mode, first, second, period, span, hasLane, label }) {
    const { t, format } = context;
    const { tank, gauge, course } = first;
    const isOwnRange = mode === "parameters";
    const corrected = second?.course ? pieces(second.course.series, isOwnRange ? second.gauge.range : null, gauge.range) : [];
    const reading = /** @type {any} */ ({ span, period, whole: () => period, series: course?.series ?? null, told: course?.told ?? [] });
    const model = graphModel(context, { tank, gauge, reading, shown: course?.series ?? null, now: Date.now(), label, hasLane, byHand: [], corrected });
    if (!second) return model;
    /** @param {Gauge} of @param {number} value */
    const text = (of, value) => format.number(value, of.range.decimals);
    return {
        ...model,
        // The numbers of the second stand at the left, where the names of the limits are otherwise.
        words: isOwnRange ? { ...model.words, ...namesOf(second.gauge.range, format) } : model.words,
        // The limits of both are in sight where both are drawn on one axis.
        domain: isOwnRange || !second.course ? model.domain : domainOf(
            extentOf({ ...second.course.series, points: [...course?.series.points ?? [], ...second.course.series.points] }, period),
            { minimum: least(gauge.range.minimum, second.gauge.range.minimum), maximum: greatest(gauge.range.maximum, second.gauge.range.maximum) },
        ),
        readOut: (point, time) => {
            const other = second.course ? pointAt(second.course.series, time) : null;
            const [one, its] = [text(gauge, point.mean), other ? text(second.gauge, other.mean) : "–"];
            return isOwnRange
                ? t("compare.readOut", { time: model.clock(time), one: format.withUnit(one, gauge.unit), other: format.withUnit(its, second.gauge.unit) })
                : t("compare.readOut", { time: model.clock(time), one: `A ${one}`, other: `B ${its}` });
        },
    };
}

/**
 * @param {import("../../../water/ranges.js").Range & {decimals: number}} range
 * @param {import("../../../words/format.js").Format} format
 */
function namesOf(range, format) {
    const { low, high } = endsOf(range);
    return { minimum: format.limit(low, range.decimals), maximum: format.limit(high, range.decimals) };
}

/** @param {number | null} one @param {number | null} other */
const least = (one, other) => one === null || other === null ? one ?? other : Math.min(one, other);
/** @param {number | null} one @param {number | null} other */
const greatest = (one, other) => one === null || other === null ? one ?? other : Math.max(one, other);

/**
 * What two lines come to, in one sentence.
 * @param {Context} voice
 * @param {Mode} mode
 * @param {Side} first
 * @param {Side} second
 */
export function sentenceOf(voice, mode, first, second) {
    const { t, format } = voice;
    if (mode === "parameters") {
        /** @param {Gauge} gauge */
        const band = ({ range, name }) => t("compare.band", {
            name: t(`water.${name}`),
            minimum: format.limit(range.minimum ?? range.least, range.decimals),
            maximum: format.limit(range.maximum ?? range.greatest, range.decimals),
        });
        return t("compare.own", { one: band(first.gauge), other: band(second.gauge) });
    }
    if (!first.course || !second.course) return "";
    const [own, its] = [first.gauge.range, second.gauge.range];
    const limits = t(own.minimum === its.minimum && own.maximum === its.maximum ? "compare.sameLimits" : "compare.otherLimits");
    const difference = differenceOf(first.course.series, second.course.series, format.zone);
    if (!difference) return joined(voice, limits, t("compare.never"));
    /** @param {number} value */
    const text = (value) => format.withUnit(format.number(Math.abs(value), own.decimals), first.gauge.unit);
    const { mean, widest } = difference;
    const at = t("language.at", { moment: format.placedTimeOfDay(widest.hour * 60) });
    if (Number(Math.abs(mean).toFixed(own.decimals)) === 0) return joined(voice, limits, t("compare.alike"));
    return joined(voice, limits, t(mean < 0 ? "compare.below" : "compare.above", { difference: text(mean), at, widest: text(widest.difference) }));
}

/**
 * The table of two tanks: average, least, how long outside.
 * @param {Context} context
 * @param {Side} first
 * @param {Side} second
 * @param {Period} period
 * @returns {Row[]}
 */
export function tankRows({ t, format }, first, second, period) {
    const [a, b] = [first, second].map(({ course }) => course ? figuresIn(course.series, period) : { least: null, mean: null, swing: null });
    const { decimals } = first.gauge.range;
    const outside = [first, second].map(({ course }) => course?.series.statistics.outside ?? 0);
    return [
        rowOf(t("compare.average"), a.mean, b.mean),
        rowOf(t("compare.least"), a.least, b.least),
        { name: t("compare.outside"), cells: [...outside.map((span) => ({ text: span > 0 ? format.duration(span) : "–", isOutside: span > 0 })), { text: "" }] },
    ];

    /** @param {string} name @param {number | null} one @param {number | null} other @returns {Row} */
    function rowOf(name, one, other) {
        return {
            name,
            cells: [
                { text: format.number(one, decimals), isOutside: isBelow(first.gauge, one) },
                { text: format.number(other, decimals), isOutside: isBelow(second.gauge, other) },
                { text: changeText(format, one, other, decimals), isStrong: true },
            ],
        };
    }
}

/**
 * The table of before and after.
 * @param {Context} context
 * @param {Side} side
 * @param {number} hinge
 * @param {Period} period
 * @returns {Row[]}
 */
export function sideRows({ t, format }, { gauge, course }, hinge, period) {
    if (!course) return [];
    const before = figuresIn(course.series, { from: period.from, to: hinge });
    const after = figuresIn(course.series, { from: hinge, to: period.to });
    const { decimals } = gauge.range;
    const alarms = course.told.filter(({ purpose }) => purpose === "alarm");
    const [earlier, later] = [alarms.filter(({ time }) => time < hinge).length, alarms.filter(({ time }) => time >= hinge).length];
    /** @param {string} name @param {number | null} one @param {number | null} other @param {boolean} [isValue] @returns {Row} */
    const rowOf = (name, one, other, isValue = true) => ({
        name,
        cells: [
            { text: format.number(one, decimals), isOutside: isValue && isBelow(gauge, one) },
            { text: format.number(other, decimals), isOutside: isValue && isBelow(gauge, other) },
            { text: changeText(format, one, other, decimals), isStrong: true },
        ],
    });
    return [
        rowOf(t("compare.least"), before.least, after.least),
        rowOf(t("compare.average"), before.mean, after.mean),
        rowOf(t("compare.swing"), before.swing, after.swing, false),
        { name: t("compare.alerts"), cells: [{ text: String(earlier) }, { text: String(later) }, { text: changeText(format, earlier, later, 0), isStrong: true }] },
    ];
}

/**
 * @param {Gauge} gauge
 * @param {number | null} value
 */
function isBelow({ range }, value) {
    return value !== null && ((range.minimum !== null && value < range.minimum) || (range.maximum !== null && value > range.maximum));
}

/**
 * A difference with its sign.
 * @param {import("../../../words/format.js").Format} format
 * @param {number | null} one
 * @param {number | null} other
 * @param {number} decimals
 */
export function changeText(format, one, other, decimals) {
    if (one === null || other === null) return "";
    const change = Number((other - one).toFixed(decimals));
    const text = format.number(Math.abs(change), decimals);
    return change === 0 ? text : `${change < 0 ? "−" : "+"}${text}`;
}
