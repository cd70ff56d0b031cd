/**
 * The headline in words: what, why, since when, and the first thing to do.
 */

import { snoozedText } from "../../components/snooze/snooze.js";
import { isBroken, isCritical } from "../../water/headline.js";
import { isBeyondSensor } from "../../water/ranges.js";
import { isHeld } from "../../water/snoozes.js";
import { trendOf } from "../../water/trend.js";
import { valueText } from "../../water/value-text.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../water/headline.js").Finding} Finding */
/** @typedef {import("../../water/headline.js").Gauge} Gauge */
/** @typedef {import("../../water/headline.js").Headline} Headline */
/** @typedef {import("../../water/headline.js").Tank} Tank */

/** Stands for a value until the sentence is cut there. */
const mark = "\u0001";

/** @typedef {{name: string, count: number, all: number}} Overall The tank a headline is about, of how many, and how many need somebody. */

/**
 * @typedef {object} Told
 * @property {string} headline
 * @property {{text: string, isStrong?: boolean}[]} reason
 * @property {string} since
 * @property {string} action
 */

/**
 * @param {Context} context
 * @param {Headline} headline
 * @param {object} surroundings
 * @param {number} surroundings.now
 * @param {(gauge: Gauge) => import("../../water/series.js").Series | null} surroundings.seriesOf
 * @param {Overall | null} [surroundings.overall] null where the person has chosen the tank.
 * @returns {Told}
 */
export function told(context, headline, { now, seriesOf, overall = null }) {
    const { t, format } = context;
    /** @param {string} text */
    const plain = (text) => text === "" ? [] : [{ text }];
    /** @type {Told} */
    const nothing = { headline: "", reason: [], since: "", action: "" };
    const { finding, was, at } = headline;
    const gauge = finding?.gauge ?? null;
    switch (headline.kind) {
        case "loading":
            return { ...nothing, headline: t("home.loading") };
        case "empty":
            return { ...nothing, headline: t("home.empty"), reason: plain(t("home.empty_reason")) };
        case "waiting":
            return { ...nothing, headline: t("home.waiting"), reason: plain(t("home.waiting_reason")) };
        case "fine":
            return { ...nothing, headline: t("home.fine"), reason: plain(count("home.fine_reason")) };
        case "recovered":
            if (!headline.recovered) return nothing;
            return {
                ...nothing,
                ...headline.isByLimits
                    ? {
                        headline: t("home.limitsMoved"),
                        reason: strong(
                            t("home.limitsMoved_reason", { name: t(`water.${headline.recovered.name}`), value: mark }),
                            valueText(context, headline.recovered),
                        ),
                    }
                    : {
                        headline: t(`water.${headline.recovered.name}_back`, { value: valueText(context, headline.recovered) }),
                        reason: plain(count("home.recovered_reason")),
                    },
            };
        case "offline": {
            if (at === null || !was) {
                return { ...nothing, headline: t("home.offline_never"), reason: plain(t("home.offline_neverReason")) };
            }
            const then = was.kind === "fine" ? "home.offline_fine" : "home.offline_notFine";
            const wasOutside = was.kind === "outside";
            return {
                ...nothing,
                headline: wasOutside ? past(was, at) : t("home.offline", { time: format.moment(at, now) }),
                reason: plain(
                    joined(wasOutside || was.kind === "waiting" ? "" : t(then), t("home.offline_reason")),
                ),
            };
        }
        case "noAnswer": {
            const silence = at === null
                ? t("home.noAnswer_neverReason")
                : t("home.noAnswer_reason", { time: format.moment(at, now) });
            return {
                ...nothing,
                headline: was?.kind === "outside" && at !== null ? past(was, at) : t("home.noAnswer"),
                reason: plain(silence),
            };
        }
        case "late": {
            const time = at ?? now;
            return {
                ...nothing,
                headline: was?.kind === "outside" ? past(was, time) : t("home.late"),
                reason: plain(t("home.late_reason", { time: format.moment(time, now) })),
            };
        }
        case "outside":
            if (!finding || !gauge || gauge.side === null) return nothing;
            return overall && headline.isAlarm ? ofAll(outside(finding, gauge), overall) : outside(finding, gauge);
        case "fault":
            if (!gauge) return nothing;
            return {
                ...nothing,
                headline: t(`water.${gauge.name}_probe`),
                reason: finding && isBroken(gauge)
                    ? plain(t(gauge.isFlat ? "home.flat_reason" : "home.broken_reason", { time: format.moment(finding.since, now) }))
                    : strong(t("home.fault_reason", { value: mark }), valueText(context, gauge)),
            };
        case "silentDevice": {
            if (!finding || headline.measured === 0) {
                return {
                    ...nothing,
                    headline: t("home.silentDevice_never"),
                    reason: plain(t("home.silentDevice_neverReason")),
                };
            }
            return {
                ...nothing,
                headline: t("home.silentDevice", { span: format.brief(now - finding.since) }),
                reason: plain(t("home.silentDevice_reason", { time: format.moment(finding.since, now) })),
            };
        }
        case "silent":
            if (!finding || !gauge) return nothing;
            return {
                ...nothing,
                headline: t(`water.${gauge.name}_silent`),
                reason: strong(
                    t("home.silent_reason", { span: format.brief(now - finding.since), value: mark }),
                    valueText(context, gauge),
                ),
            };
    }

    /** @param {string} key */
    function count(key) {
        return t(key, { fine: headline.fine, measured: headline.measured });
    }

    /**
     * @param {Headline} then
     * @param {number} time
     */
    function past(then, time) {
        const gauge = then.finding?.gauge;
        if (!gauge) return t("home.offline", { time: format.moment(time, now) });
        return t(`water.${gauge.name}_${gauge.side === "low" ? "wasLow" : "wasHigh"}`, { time: format.moment(time, now) });
    }

    /**
     * @param {string} text
     * @param {string} value
     */
    function strong(text, value) {
        return text.split(mark).flatMap((part, index) =>
            index === 0 ? plain(part) : [{ text: value, isStrong: true }, ...plain(part)]
        );
    }

    /** @param {...string} sentences */
    function joined(...sentences) {
        return sentences.filter((sentence) => sentence !== "").join(format.language === "ja" ? "" : " ");
    }

    /**
     * One tank's alarm, told for all of them.
     * @param {Told} one
     * @param {Overall} overall
     * @returns {Told}
     */
    function ofAll(one, { name, count, all }) {
        const need = t("home.need", { count, all });
        return {
            ...one,
            headline: t("home.alarmIn", { alarm: one.headline, name }),
            reason: [{ text: need, isStrong: true }, { text: format.language === "ja" ? "" : " " }, ...one.reason],
        };
    }

    /**
     * @param {Finding} finding
     * @param {Gauge} gauge
     * @returns {Told}
     */
    function outside(finding, gauge) {
        const side = gauge.side === "low" ? "low" : "high";
        const isWorse = isCritical(gauge) && !finding.isOld;
        const limits = isWorse && gauge.critical ? gauge.critical : gauge.range;
        const limit = format.limit(side === "low" ? limits.minimum : limits.maximum, gauge.range.decimals);
        const series = seriesOf(gauge);
        const trend = series && trendOf(series, gauge.range, now);
        const change = trend === null ? "" : format.number(Math.abs(trend.change), gauge.range.decimals);
        const key = finding.isOld
            ? `home.${side}_old`
            : isWorse
            ? `home.${side}_critical`
            : `home.${side}_${trend?.direction ?? "steady"}`;
        const advice = joined(t(`water.${gauge.name}_${side}Action`), isBeyondSensor(gauge.value, gauge.range) ? t("home.checkProbe") : "");
        const snoozed = isHeld(gauge.snoozed, now) && gauge.snoozed ? snoozedText(context, gauge.snoozed, now) : "";
        const time = gauge.time === null ? "" : format.moment(gauge.time, now);
        return {
            headline: t(`water.${gauge.name}_${side}`),
            reason: strong(t(key, { value: mark, limit, time, change }), valueText(context, gauge)),
            since: gauge.since === null ? "" : t(`home.${side}_since`, {
                time: format.moment(gauge.since, now),
                span: format.duration(now - gauge.since),
            }),
            // Who has snoozed it knows what to do.
            action: finding.isSnoozed ? snoozed : joined(advice, snoozed),
        };
    }
}

/**
 * A second-worst thing in one sentence.
 * @param {Context} context
 * @param {Finding} finding
 * @param {number} now
 */
export function noticed({ t, format }, finding, now) {
    const gauge = finding.gauge;
    const span = format.brief(now - finding.since);
    if (!gauge) return t("home.silentDevice", { span });
    switch (finding.kind) {
        case "outside":
            return t(`water.${gauge.name}_${gauge.side === "low" ? "low" : "high"}`);
        case "fault":
            return t(`water.${gauge.name}_probe`);
        default:
            return t(`water.${gauge.name}_silentFor`, { span });
    }
}
