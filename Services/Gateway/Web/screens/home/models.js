/**
 * What the parts of the home screen show, made of what is known.
 */

import { lineOf, periodOf } from "../../app/history.js";
import { answeredText, shortAnsweredText } from "../../water/answers.js";
import { apartText } from "../../water/apart.js";
import { answeredIn, heardAt, isBroken, isCritical, isPast, isSilent, stateOf } from "../../water/headline.js";
import { shareOf } from "../../water/ranges.js";
import { isHeld, shortSnoozedText, snoozedText } from "../../water/snoozes.js";
import { limitsText, valueText } from "../../water/value-text.js";
import { isGoingOn } from "../../water/work.js";
import { shortSymbolOf } from "../../words/numbers.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../water/headline.js").Gauge} Gauge */
/** @typedef {import("../../water/headline.js").Headline} Headline */
/** @typedef {import("../../water/headline.js").Tank} Tank */
/** @typedef {import("../../water/series.js").Series} Series */

/**
 * @param {string} device
 * @param {string} name
 */
export function detailsPath(device, name) {
    return `/p/${encodeURIComponent(device)}/${encodeURIComponent(name)}`;
}

/**
 * @param {Context} context
 * @param {Tank} tank
 * @param {Gauge} gauge
 * @param {object} more
 * @param {number} more.now
 * @param {boolean} more.isCutOff Whether there is no connection: everything is as old as the last answer.
 * @param {number | null} more.seenAt
 * @param {Series | null} more.series
 * @param {boolean} more.isCurrent
 * @param {number} more.place From 1.
 * @param {number} more.count
 * @returns {import("../../components/card/card.js").CardModel}
 */
export function cardModel(context, tank, gauge, { now, isCutOff, seenAt, series, isCurrent, place, count }) {
    const { t, format } = context;
    const standing = stateOf(gauge, tank, now);
    const isOld = gauge.value !== null && (standing.isOld || isCutOff);
    const isKept = standing.state === "low" || standing.state === "high" || (standing.state === "fault" && isBroken(gauge));
    const state = isOld && !isKept ? "silent" : standing.state;
    const side = state === "low" || state === "high" ? state : null;
    // What nobody can tell from the work says nothing, but for water that was outside before.
    const isWorked = side === null && state !== "waiting" && !isCutOff && isGoingOn(tank.work, now);
    const name = t(`water.${gauge.name}`);
    const value = valueText(context, gauge);
    const span = gauge.time === null ? "" : format.brief(now - gauge.time);
    const ago = gauge.time === null ? "" : format.ago(gauge.time, now);
    const time = isCutOff && seenAt !== null ? seenAt : gauge.time;
    // Where everything is silent, the headline says for how long; the cards say since when.
    const isDated = isCutOff || isSilent(tank, now);
    /** @type {Record<import("../../water/headline.js").GaugeState, string>} */
    const words = {
        low: t("home.state_low"),
        high: t("home.state_high"),
        fault: t("home.state_fault"),
        silent: isDated ? "" : t("home.state_silent", { span }),
        waiting: "",
        fine: "",
    };
    const age = state === "waiting"
        ? t("home.state_waiting")
        : state === "silent"
        ? isDated && time !== null ? format.moment(time, now) : ""
        // Its last value counts no more, and the name needs the room.
        : state === "fault" && isBroken(gauge) || isWorked
        ? ""
        : ago;
    const apart = state === "fine" && !isCutOff && !isWorked ? gauge.apart ?? null : null;
    const held = side !== null && isHeld(gauge.snoozed, now) ? gauge.snoozed : null;
    const answered = isCutOff ? null : answeredIn(gauge, tank, state, now);
    return {
        name,
        label: [
            state === "fault" && isBroken(gauge)
                ? t(gauge.isFlat ? "home.card_flat" : "home.card_broken", {
                    name,
                    value,
                    time: format.placed(gauge.brokenSince ?? now, now),
                    limits: limitsText(context, gauge),
                })
                : t(`home.card_${state}`, { name, value, ago, span, limits: limitsText(context, gauge) }),
            isWorked ? `${t("work.on")}.` : "",
            apart ? `${apartText(context, gauge.name, apart, now)}.` : "",
            held ? snoozedText(context, held, now) : "",
            answered ? answeredText(context, answered, now) : "",
        ].filter((part) => part !== "").join(" "),
        href: detailsPath(tank.id, gauge.name),
        isCurrent,
        state,
        isOld,
        ...isWorked ? { shape: /** @type {const} */ ("worked") } : {},
        ...apart ? { shape: /** @type {const} */ ("fault") } : {},
        word: apart ? t("home.state_differs") : isWorked ? t("work.on") : side !== null && isCritical(gauge) ? t("home.state_critical") : words[state],
        isAnswered: answered !== null,
        age: answered ? shortAnsweredText(context, answered) : held ? shortSnoozedText(context, held, now) : age,
        colour: gauge.colour,
        handleLabel: t("home.order_handle", { name, place, count }),
        ring: {
            share: shareOf(gauge.value, gauge.range),
            side,
            isOld: isOld || state === "fault",
            value: format.number(gauge.value, gauge.range.decimals),
            unit: gauge.value === null ? "" : shortSymbolOf(gauge.unit),
        },
        sparkline: {
            series,
            period: periodOf(now),
            range: gauge.range,
            isOld,
            maximum: gauge.range.maximum === null ? "" : format.limit(gauge.range.maximum, gauge.range.decimals),
            minimum: gauge.range.minimum === null
                ? gauge.range.maximum === null ? "" : format.limit(gauge.range.least, gauge.range.decimals)
                : format.limit(gauge.range.minimum, gauge.range.decimals),
            side,
        },
    };
}

/**
 * The line below the air and the captions under it.
 * @param {Context} context
 * @param {Tank | null | undefined} tank
 * @param {Headline} headline
 * @param {number} now
 * @param {(gauge: Gauge) => Series | null} seriesOf
 */
export function lineModel({ t, format }, tank, headline, now, seriesOf) {
    const period = periodOf(now);
    const empty = { swells: [], gaps: [], works: [], isKnown: false };
    const line = tank ? lineOf(tank, seriesOf, period) : empty;
    const isNever = headline.kind === "empty" || headline.kind === "waiting" || headline.kind === "byHand" || (tank && headline.measured === 0 && headline.kind !== "loading");
    const isOld = headline.kind === "silentDevice" || isPast(headline);
    /** @type {import("../../components/waterline/waterline.js").WaterlineModel['tone']} */
    const tone = headline.kind === "loading"
        ? "loading"
        : isNever
        ? "never"
        : headline.isAlarm
        ? "alarm"
        : isOld
        ? "old"
        : "fine";
    const open = headline.isAlarm ? line.swells.find((swell) => swell.isOpen) : undefined;
    const heard = tank ? heardAt(tank) : null;
    const last = headline.at ?? heard;
    const isShown = tone !== "never" && tone !== "loading";
    return {
        line: { period, swells: isNever ? [] : line.swells, gaps: line.gaps, works: line.works, tone },
        captions: {
            start: isShown ? t("home.hoursAgo") : "",
            begin: open
                ? { text: format.clock(open.from), share: (open.from - period.from) / (period.to - period.from) }
                : null,
            end: !isShown ? "" : isOld && last !== null ? format.moment(last, now) : t("home.now"),
        },
    };
}
