/**
 * What the graph of one parameter is drawn from.
 */

import { domainOf } from "../../../drawing/geometry.js";
import { nightsOf } from "../../../drawing/sun.js";
import { stateOf } from "../../../water/headline.js";
import { outermost } from "../../../water/periods.js";
import { decoded, extentOf } from "../../../water/series.js";
import { joined } from "../../../words/sentence.js";
import { day, hour } from "../../../words/time.js";
import { timeTicks } from "../../../words/ticks.js";
import { longSpan } from "./spans.js";
import { dayText, hourText, marksText, monthText, timeText } from "./texts.js";

/** @typedef {import("../../../water/series.js").Period} Period */
/** @typedef {import("../../../water/series.js").Series} Series */
/** @typedef {import("../../../components/graph/model.js").AlertMark} AlertMark */
/** @typedef {import("./reading.js").Reading} Reading */

/**
 * @param {import("../../../app/context.js").Context} context
 * @param {object} what
 * @param {import("../../../water/headline.js").Tank} what.tank
 * @param {import("../../../water/headline.js").Gauge} what.gauge
 * @param {Reading} what.reading
 * @param {Series | null} what.shown
 * @param {number} what.now
 * @param {string} what.label
 * @param {boolean} what.hasLane Whether there is anything that people did.
 * @param {readonly {time: number, value: number}[]} what.byHand
 * @param {readonly (readonly {time: number, value: number}[])[]} [what.corrected] What it is without the probe's drift.
 * @param {readonly (readonly {time: number, value: number}[])[]} [what.second] What a second probe in the same water measured.
 * @param {readonly import("../../../water/periods.js").LimitStep[]} [what.steps] The limits over time.
 * @returns {import("../../../components/graph/model.js").GraphModel}
 */
export function graphModel(context, { tank, gauge, reading, shown: known, now, label, hasLane, byHand, corrected = [], second = [], steps = [] }) {
    const { store, t, format } = context;
    const { decimals } = gauge.range;
    const { span, period } = reading;
    const whole = reading.whole();
    const shown = known ?? { ...decoded({}), unit: gauge.unit };
    const isLong = period.to - period.from > longSpan;
    const place = store.deviceOf(tank.id);
    const hasNights = !isLong && typeof place?.latitude === "number" && typeof place?.longitude === "number";
    /** @param {number} number */
    const withUnit = (number) => format.withUnit(format.number(number, decimals), gauge.unit);
    /** @param {number} time */
    const told = (time) => timeText(format, time, { length: span.length, step: shown.step });
    const alerts = marksOf(reading);
    return {
        series: shown,
        period,
        whole,
        now,
        isLive: period.to >= whole.to,
        range: gauge.range,
        steps,
        domain: domainOf(withBeside(extentOf(shown, period), [...byHand, ...corrected.flat(), ...second.flat()], period), outermost(gauge.range, steps)),
        hasEnvelope: span.length > 12 * hour && shown.step > 0,
        isOld: stateOf(gauge, tank, now).isOld,
        hasLane,
        alerts,
        byHand,
        corrected,
        second,
        nights: hasNights && place ? nightsOf(period, Number(place.latitude), Number(place.longitude)) : [],
        label: joined(context, label, ...marksText(context, alerts, told)),
        words: {
            minimum: t("details.min"),
            maximum: t("details.max"),
            now: t("details.now"),
            noData: t("details.noData"),
            nothing: reading.series ? t("details.empty") : t("details.loading"),
            whole: t("details.whole"),
        },
        number: (number) => format.number(number, decimals),
        limit: (number) => format.limit(number, decimals),
        clock: told,
        timeTicks: (most) =>
            timeTicks(period.from, period.to, format.zone, most).map(({ time, kind }) => ({
                time,
                text: kind === "hour" ? hourText(format, time) : kind === "day" ? dayText(format, time) : monthText(format, time),
            })),
        // Before the first reading of all there is no time worth naming.
        workText: t("work.title"),
        gapText: (gap) =>
            gap.from <= period.from && gap.to >= period.to
                ? t("details.noData")
                : gap.from <= period.from
                ? t("details.noDataUntil", { time: told(gap.to) })
                : t("details.noDataFrom", { from: told(gap.from), to: told(gap.to) }),
        readOut: (point, time) => {
            const text = shown.step > 0 && point.count > 1 && point.greatest > point.least
                ? t("details.readOutRange", {
                    time: told(time),
                    value: withUnit(point.mean),
                    least: format.number(point.least, decimals),
                    greatest: format.number(point.greatest, decimals),
                })
                : t("details.readOut", { time: told(time), value: withUnit(point.mean) });
            const finding = point.finding ? `details.flag_${point.finding}` : "";
            return t.has(finding) ? t("details.readOutFlag", { text, finding: t(finding) }) : text;
        },
    };
}

/**
 * The extent of a line and of what is drawn beside it.
 * @param {ReturnType<typeof extentOf>} extent
 * @param {readonly {time: number, value: number}[]} beside
 * @param {Period} period
 */
function withBeside(extent, beside, { from, to }) {
    const values = beside.filter(({ time }) => time >= from && time <= to).map(({ value }) => value);
    if (values.length === 0) return extent;
    return {
        least: Math.min(extent?.least ?? Infinity, ...values),
        greatest: Math.max(extent?.greatest ?? -Infinity, ...values),
    };
}

/**
 * Alarms, and on short spans their reminders.
 * @param {Pick<Reading, "told" | "span">} reading
 * @returns {AlertMark[]}
 */
export function marksOf({ told, span }) {
    /** @type {AlertMark[]} */
    const marks = [];
    for (const { time, purpose, side, change } of told) {
        if (purpose === "alarm") marks.push({ time, kind: change ?? (side === "low" ? "low" : "high") });
        if (purpose === "reminder" && span.length <= day) marks.push({ time, kind: "reminder" });
    }
    return marks;
}
