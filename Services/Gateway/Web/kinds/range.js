/** A value out of a person's limits. */

import { isBeyondSensor } from "../water/ranges.js";
import { isCritical } from "../water/headline.js";
import { isHeld, snoozedText } from "../water/snoozes.js";
import { trendOf } from "../water/trend.js";
import { valueText } from "../water/value-text.js";
import { isStillAfter } from "../water/work.js";
import { joined, mark, strong } from "../words/sentence.js";

/** @type {import("./index.js").Kind} */
export const range = {
    name: "range",
    isOfRange: true,
    isTellable: ({ parameter, side }) => parameter !== null && (side === "low" || side === "high"),
    mark: ({ side }) => side,
    shape: ({ side }) => side ?? "live",
    // The service's state of the parameter says so, and it is the same stretch.
    isOpen: ({ first, since }, _, gauge) => gauge?.side === first.side && gauge !== undefined && gauge.since !== null && gauge.since === since,
    told,
    steps: { inRange: "fine", recovered: "fine", allClear: "fine" },
    found: {
        outside: {
            shape: ({ gauge }) => gauge?.side ?? "high",
            noticed: ({ t }, { gauge }) => t(`water.${gauge?.name}_${gauge?.side === "low" ? "low" : "high"}`),
            word: ({ t }, { gauge }) => t(`water.${gauge?.name}_${gauge?.side === "low" ? "lowShort" : "highShort"}`),
            headline,
        },
    },
};

/**
 * @param {import("./index.js").Voice} voice
 * @param {import("./index.js").Episode} episode
 * @param {import("./index.js").About} about
 * @returns {import("./index.js").Told}
 */
function told({ t, format }, { first, alerts }, { isNow, shown, gauge, decimals: own = 1, isRed }) {
    const [newest] = alerts;
    const { parameter, side, unit } = first;
    const decimals = (shown ?? (isNow ? newest : first)).decimals ?? own;
    /** @param {number | null} value */
    const text = (value) => format.withUnit(format.number(value, decimals), unit ?? "");
    // The alert tells the worst of its time; while it lasts the water may be worse by now.
    const values = [newest.worst ?? shown?.worst ?? null, isNow ? gauge?.value ?? null : null].filter((value) => value !== null);
    const worst = values.length === 0 ? null : side === "low" ? Math.min(...values) : Math.max(...values);
    const opened = shown?.reasons?.find(({ reason }) => reason === "opened" || reason === "flipped");
    /** @type {(import("./index.js").Fact | null)[]} */
    const facts = shown === undefined ? [] : [
        gauge && gauge.value !== null ? [t("alerts.fact_now"), text(gauge.value), isRed] : null,
        [t(shown.critical ? `alerts.fact_${side}Critical` : `alerts.fact_${side}`), text(shown.limit)],
        opened ? [t("alerts.fact_crossed"), format.clock(Date.parse(opened.eventTime))] : null,
        [t("alerts.fact_worst"), text(worst)],
        shown.afterWork ? [t("work.title"), t("alerts.fact_afterWork")] : null,
        shown.unstable ? [t("alerts.fact_course"), t("alerts.fact_course_text")] : null,
        shown.checkProbe ? [t("alerts.fact_probe"), t("alerts.fact_probe_text")] : null,
    ];
    const value = text(isNow ? newest.value : newest.worst ?? newest.value);
    return {
        name: t(isNow ? nameOf(parameter, side, newest.afterWork === true) : `water.${parameter}_${side}Short`),
        detail: `${first.device?.name ?? ""} · ${t(`alerts.${side}`, { value, limit: format.number(first.limit, decimals) })}`,
        action: t(`water.${parameter}_${side}Action`),
        facts: facts.filter((fact) => fact !== null),
    };
}

/**
 * @param {import("./index.js").Voice} voice
 * @param {import("./index.js").Headline} headline
 * @param {import("./index.js").Surroundings} surroundings
 * @returns {import("./index.js").Said}
 */
function headline(voice, { finding }, { now, seriesOf, work = null }) {
    const { t, format } = voice;
    const gauge = finding?.gauge;
    if (!gauge || gauge.side === null) return { headline: "", reason: [] };
    const { side } = gauge;
    const isWorse = isCritical(gauge) && !finding.isOld;
    const limits = isWorse && gauge.critical ? gauge.critical : gauge.range;
    const limit = format.limit(side === "low" ? limits.minimum : limits.maximum, gauge.range.decimals);
    const series = seriesOf(gauge);
    const trend = series && trendOf(series, gauge.range, now);
    const change = trend === null ? "" : format.number(Math.abs(trend.change), gauge.range.decimals);
    const isStill = !finding.isOld && isStillAfter(work, gauge.since, now);
    const key = finding.isOld
        ? `home.${side}_old`
        : isWorse
        ? `home.${side}_critical`
        : isStill
        ? `home.${side}_afterWork`
        : `home.${side}_${trend?.direction ?? "steady"}`;
    const advice = joined(voice, t(`water.${gauge.name}_${side}Action`), isBeyondSensor(gauge.value, gauge.range) ? t("home.checkProbe") : "");
    const snoozed = isHeld(gauge.snoozed, now) && gauge.snoozed ? snoozedText(voice, gauge.snoozed, now) : "";
    const at = gauge.time === null ? "" : format.at(gauge.time, now);
    return {
        headline: t(nameOf(gauge.name, side, isStill)),
        reason: strong(t(key, { value: mark, limit, at, change }), valueText(voice, gauge)),
        since: gauge.since === null ? "" : t(`home.${side}_since`, {
            time: format.placed(gauge.since, now),
            span: format.duration(now - gauge.since),
        }),
        // Whoever has snoozed the alarm knows what to do, and what somebody else is on needs no other hand.
        action: finding.isSnoozed || finding.answered?.isYou === false ? snoozed : joined(voice, advice, snoozed),
    };
}

/**
 * What is said of a parameter that is outside.
 * @param {string | null} parameter
 * @param {string | null} side
 * @param {boolean} isStill Whether it still is after somebody has worked on the water.
 */
function nameOf(parameter, side, isStill) {
    if (!isStill) return `water.${parameter}_${side}`;
    return side === "low" ? `water.${parameter}_stillLow` : `water.${parameter}_stillHigh`;
}
