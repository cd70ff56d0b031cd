/**
 * Average, least, greatest and the time outside of a span, as the four columns under the graph.
 */

import { departureOf, sideOf } from "../../../water/ranges.js";
import { departuresOf } from "../../../water/runs.js";
import { exact } from "../../../words/time.js";
import { longSpan } from "./spans.js";
import { dayText } from "./texts.js";

/** @typedef {import("../../../app/context.js").Context} Context */
/** @typedef {import("../../../water/headline.js").Gauge} Gauge */
/** @typedef {import("../../../water/series.js").Series} Series */

/**
 * @param {Context} context
 * @param {Gauge} gauge
 * @param {Series | null} series
 * @param {import("./reading.js").Reading['span']} span
 * @returns {import("../../../components/statistics/statistics.js").Figure[]}
 */
export function figuresOf(context, gauge, series, span) {
    const { t, format } = context;
    const { range } = gauge;
    const known = series?.statistics;
    /** @param {number | null | undefined} time */
    const when = (time) => {
        if (time === null || time === undefined) return "";
        return span.length > longSpan ? dayText(format, time) : format.clock(time);
    };
    /** @param {number | null | undefined} value */
    const figure = (value) => [{ text: format.number(value, range.decimals) }];
    const outside = known?.outside ?? 0;
    return [
        {
            label: t("details.average"),
            value: figure(known?.mean),
            note: t("details.ofSpan", { span: t(`details.span_${span.name}`) }),
            isOutside: false,
        },
        {
            label: t("details.least"),
            value: figure(known?.least),
            note: when(known?.leastTime),
            isOutside: sideOf(known?.least, range) !== null,
        },
        {
            label: t("details.greatest"),
            value: figure(known?.greatest),
            note: when(known?.greatestTime),
            isOutside: sideOf(known?.greatest, range) !== null,
        },
        {
            label: t("details.outside"),
            // Where nothing of it is known but that it was outside at some time, no length is told.
            value: known && (outside > 0 || known.undecided === 0) ? durationParts(context, outside) : figure(null),
            note: outsideNote(context, gauge, series),
            isOutside: outside > 0,
        },
    ];
}

/**
 * The same of values by hand, which stand for no time: outside is how many of them.
 * @param {Context} context
 * @param {Gauge} gauge
 * @param {readonly import("../../../water/series.js").Sample[]} tests Of the span.
 * @returns {import("../../../components/statistics/statistics.js").Figure[]}
 */
export function figuresByHand({ t, format }, { range }, tests) {
    const values = [...tests].sort((one, other) => one.value - other.value);
    const [least, greatest] = [values[0], values.at(-1)];
    const outside = values.filter(({ value }) => sideOf(value, range) !== null).length;
    const mean = values.reduce((sum, { value }) => sum + value, 0) / values.length;
    /** @param {import("../../../water/series.js").Sample | undefined} one */
    const of = (one) => ({
        value: [{ text: format.number(one?.value ?? null, range.decimals) }],
        note: one ? dayText(format, one.time) : "",
        isOutside: one !== undefined && sideOf(one.value, range) !== null,
    });
    return [
        {
            label: t("details.average"),
            value: [{ text: format.number(values.length > 0 ? mean : null, range.decimals) }],
            note: t("details.ofTests", { count: values.length }),
            isOutside: false,
        },
        { label: t("details.least"), ...of(least) },
        { label: t("details.greatest"), ...of(greatest) },
        {
            label: t("details.outside"),
            value: outside > 0 ? [{ text: format.number(outside, 0) }] : [{ text: t("details.never"), isUnit: true }],
            note: outside > 0 ? t("details.ofTests", { count: values.length }) : "",
            isOutside: outside > 0,
        },
    ];
}

/**
 * How often it was outside, where the points tell that.
 * @param {Context} context
 * @param {Gauge} gauge
 * @param {Series | null} series
 */
function outsideNote({ t, format }, gauge, series) {
    if (!series) return "";
    const { undecided, outside } = series.statistics;
    if (undecided > 0) return t("details.undecided", { span: format.brief(undecided) });
    if (outside === 0) return "";
    const times = series.resolution === "message" ? departuresOf(series, gauge.range, departureOf).length : 0;
    if (times === 0) return "";
    return times === 1 ? t("details.once") : t("details.times", { count: times });
}

/**
 * A duration with its numbers large and its units small.
 * @param {Context} context
 * @param {number} length
 */
function durationParts({ t, format }, length) {
    if (length === 0) return [{ text: t("details.never"), isUnit: true }];
    if (exact(length).length === 0) return [];
    return format.duration(length).split(/(\d+)/).filter((part) => part.trim() !== "")
        .map((part) => ({ text: part.trim(), isUnit: !/^\d/.test(part) }));
}
