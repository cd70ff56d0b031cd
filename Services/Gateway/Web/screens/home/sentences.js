/**
 * The headline in words: what, why, since when, and the first thing to do.
 */

import { wordsOf } from "../../kinds/index.js";
import { testedText } from "../../water/tested.js";
import { valueText } from "../../water/value-text.js";
import { isJustOver } from "../../water/work.js";
import { joined, joinedParts, mark, plain, strong } from "../../words/sentence.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../water/headline.js").Gauge} Gauge */
/** @typedef {import("../../water/headline.js").Headline} Headline */

/**
 * @typedef {{name: string, count: number, seenTo: number, all: number}} Overall The tank a headline is about, of how many, how many need
 *     somebody, and of how many others somebody sees to it.
 */

/**
 * @typedef {object} Told
 * @property {string} headline
 * @property {import("../../words/sentence.js").Part[]} reason
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
 * @param {import("../../water/work.js").Work | null} [surroundings.work] What is done to the water, or was a moment ago.
 * @returns {Told}
 */
export function told(context, headline, { now, seriesOf, overall = null, work = null }) {
    const { t, format } = context;
    /** @type {Told} */
    const nothing = { headline: "", reason: [], since: "", action: "" };
    const { finding, was, at } = headline;
    switch (headline.kind) {
        case "loading":
            return { ...nothing, headline: t("home.loading") };
        case "empty":
            return { ...nothing, headline: t("home.empty"), reason: plain(t("home.empty_reason")) };
        case "waiting":
            return { ...nothing, headline: t("home.waiting"), reason: plain(t("home.waiting_reason")) };
        case "byHand":
            return { ...nothing, headline: testedText(context, at, now), reason: plain(t("home.byHand_reason")) };
        case "fine":
            return { ...nothing, headline: t("home.fine"), reason: plain(isJustOver(work, now) ? workDone(work) : count("home.fine_reason")) };
        case "working":
            if (!work) return nothing;
            return { ...nothing, headline: workName(work), reason: plain(workEnd(work)) };
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
            if (was?.kind === "working" && work) return { ...nothing, headline: workName(work), reason: plain(workEnd(work)) };
            if (at === null || !was) {
                return { ...nothing, headline: t("home.offline_never"), reason: plain(t("home.offline_neverReason")) };
            }
            const then = was.kind === "fine" ? "home.offline_fine" : "home.offline_notFine";
            const wasOutside = was.kind === "outside";
            return {
                ...nothing,
                headline: wasOutside ? past(was, at) : t("home.offline", { at: format.at(at, now) }),
                reason: plain(
                    joined(context, wasOutside || was.kind === "waiting" || was.kind === "byHand" ? "" : t(then), t("home.offline_reason")),
                ),
            };
        }
        case "noAnswer": {
            if (was?.kind === "working" && work) return { ...nothing, headline: workName(work), reason: plain(workEnd(work)) };
            const silence = at === null
                ? t("home.noAnswer_neverReason")
                : t("home.noAnswer_reason", { time: format.placed(at, now) });
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
                reason: plain(t("home.late_reason", { time: format.placed(time, now) })),
            };
        }
        default: {
            const said = { ...nothing, ...finding ? wordsOf(finding)?.headline(context, headline, { now, seriesOf, work }) : null };
            return overall && headline.isAlarm ? ofAll(said, overall) : said;
        }
    }

    /** @param {import("../../water/work.js").Work} done */
    function workName({ kind, by }) {
        return by === null ? t(`work.${kind}`) : t(`work.by_${kind}`, { name: by });
    }

    /**
     * It ends by its own clock, whether the service is heard or not.
     * @param {import("../../water/work.js").Work} done
     */
    function workEnd({ until }) {
        if (now >= until) return t("work.ended", { at: format.at(until, now) });
        return t("work.ends", { at: format.at(until, now), span: format.brief(Math.max(60_000, until - now)) });
    }

    /** @param {import("../../water/work.js").Work} done */
    function workDone({ from, until }) {
        return t("work.over", { from: format.clock(from), until: format.clock(until) });
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
        if (!gauge) return t("home.offline", { at: format.at(time, now) });
        return t(`water.${gauge.name}_${gauge.side === "low" ? "wasLow" : "wasHigh"}`, { at: format.at(time, now) });
    }

    /**
     * One tank's alarm, told for all of them.
     * @param {Told} one
     * @param {Overall} overall
     * @returns {Told}
     */
    function ofAll(one, { name, count, seenTo, all }) {
        const need = count === 0 ? t("home.seenTo", { count: seenTo }) : t("home.need", { count, all });
        return {
            ...one,
            headline: t("home.alarmIn", { alarm: one.headline, name }),
            reason: joinedParts(context, { text: need, isStrong: true }, one.reason),
        };
    }
}
