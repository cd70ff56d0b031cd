/**
 * Days, times and sentences of a graph in the person's language.
 */

import { valueText } from "../../../water/value-text.js";
import { listed } from "../../../words/sentence.js";
import { clock, day } from "../../../words/time.js";
import { longSpan } from "./spans.js";

/** @typedef {import("../../../app/context.js").Context} Context */
/** @typedef {import("../../../app/context.js").Context['format']} Format */

/**
 * @param {Format} format
 * @param {number} time
 */
export function dayText(format, time) {
    return new Intl.DateTimeFormat(format.locale, { timeZone: format.zone, day: "numeric", month: "short" }).format(time);
}

/**
 * @param {Format} format
 * @param {number} time
 */
export function monthText(format, time) {
    return new Intl.DateTimeFormat(format.locale, { timeZone: format.zone, month: "short" }).format(time);
}

/**
 * @param {Format} format
 * @param {number} time
 */
export function hourText(format, time) {
    return clock(time, format.zone, { padded: true });
}

/**
 * A time as exactly as the points tell it.
 * @param {Format} format
 * @param {number} time
 * @param {{length: number, step: number}} what Of the span, and of one point.
 */
export function timeText(format, time, { length, step }) {
    if (length <= longSpan) return hourText(format, time);
    return step >= day ? dayText(format, time) : `${dayText(format, time)} ${hourText(format, time)}`;
}

/**
 * The parameter with its unit, which the numbers of a table do without.
 * @param {Context} context
 * @param {import("../../../water/headline.js").Gauge} gauge
 */
export function unitName({ t, format }, { name, unit }) {
    const fullName = t(`water.${name}_full`);
    const symbol = format.withUnit("", unit).trim();
    return symbol === "" ? fullName : `${fullName} (${symbol})`;
}

/**
 * What the drawing shows, for those who do not see it.
 * @param {Context} context
 * @param {import("../../../water/headline.js").Gauge} gauge
 * @param {import("../../../water/series.js").Series | null} series
 * @param {{span: import("./spans.js").SpanName, isOld: boolean}} how
 */
export function captionOf(context, gauge, series, { span, isOld }) {
    const { t, format } = context;
    const name = t(`water.${gauge.name}_full`);
    const length = t(`details.spanName_${span}`);
    const figures = series?.statistics;
    if (!figures || figures.count === 0) return t("details.captionEmpty", { name, span: length });
    const { decimals } = gauge.range;
    return t(isOld ? "details.captionOld" : "details.caption", {
        name,
        span: length,
        value: valueText(context, gauge),
        least: format.number(figures.least, decimals),
        greatest: format.number(figures.greatest, decimals),
        outside: figures.outside > 0
            ? format.duration(figures.outside)
            : t(figures.undecided > 0 ? "details.outsideUnknown" : "details.never"),
    });
}

/** So many times are told of each kind of mark, the latest. */
const mostTimes = 5;

/**
 * The marks of alerts on the axis, for those who do not see them.
 * @param {Context} context
 * @param {readonly import("../../../components/graph/model.js").AlertMark[]} marks
 * @param {(time: number) => string} clock
 */
export function marksText({ t }, marks, clock) {
    return /** @type {const} */ (["low", "high", "rose", "fell"]).flatMap((kind) => {
        const times = marks.filter((mark) => mark.kind === kind).map(({ time }) => time).sort((one, other) => one - other);
        if (times.length === 0) return [];
        return [t(`details.marks_${kind}`, { times: listed({ t }, times.slice(-mostTimes).map(clock)) })];
    });
}
