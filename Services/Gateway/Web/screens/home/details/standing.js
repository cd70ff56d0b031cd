/**
 * The value now, how it stands to the limits, and since when.
 */

import { createShape, setShape } from "../../../components/shape/shape.js";
import { h, set, setText } from "../../../page/dom.js";
import { apartText } from "../../../water/apart.js";
import { handText, ownValue } from "../../../water/by-hand.js";
import { isBroken, isCutOff as isUnknownNow, stateOf } from "../../../water/headline.js";
import { outlookOf } from "../../../water/outlook.js";
import { sideOf } from "../../../water/ranges.js";
import { isGoingOn } from "../../../water/work.js";
import { joined } from "../../../words/sentence.js";

/** @typedef {import("../../../water/headline.js").Gauge} Gauge */
/** @typedef {import("../../../water/headline.js").GaugeState} GaugeState */

/** @param {import("../../../app/context.js").Context} context */
export function createStanding(context) {
    const { store, t, format } = context;
    const value = h("span", { class: "details-number" });
    const unit = h("span", { class: "details-unit" });
    const shape = h("span", { class: "details-shape", "data-shape": "" });
    const state = h("span");
    const since = h("p", { class: "details-since quiet" });
    const outlook = h("p", { hidden: true });
    const apartWords = h("span");
    const apart = h("p", { class: "details-state", hidden: true }, createShape("fault"), apartWords);
    const element = h(
        "div",
        { class: "details-now" },
        h("p", { class: "details-value" }, value, unit),
        h("div", null, h("p", { class: "details-state" }, shape, state), since, outlook, apart),
    );

    /**
     * @param {Gauge} own
     * @param {GaugeState} found
     * @param {number} now
     * @param {boolean} isWorked Whether somebody works on the water.
     */
    function stateText(own, found, now, isWorked) {
        const { range, time } = own;
        const { minimum, maximum, decimals } = range;
        switch (found) {
            case "low":
                return t("details.low", { limit: format.limit(minimum, decimals) });
            case "high":
                return t("details.high", { limit: format.limit(maximum, decimals) });
            case "fault":
                return isBroken(own)
                    ? t(own.isFlat ? "details.flat" : "details.broken", { time: format.placed(own.brokenSince ?? now, now) })
                    : t("details.fault");
            case "silent":
                return time === null ? "" : t("details.silent", { span: format.brief(now - time) });
            case "waiting":
                return t("details.waiting");
            case "fine":
                // While somebody works a value beyond the limits is no alarm, and not within them either.
                return isWorked && sideOf(own.value, range) !== null ? t("work.other") : t("details.inside");
        }
    }

    /** @param {import("../../../water/headline.js").Connection['state']} connection */
    function unknownText(connection) {
        return connection === "offline" ? t("home.offlineWord") : connection === "noAnswer" ? t("home.noAnswer") : t("home.late");
    }

    /**
     * @param {Gauge} own
     * @param {GaugeState} found
     * @param {number} now
     */
    function sinceText({ time, since, side }, found, now) {
        if (time === null) return "";
        const ago = format.ago(time, now);
        if (since !== null && found === side) return t("details.sinceRead", { time: format.placed(since, now), ago });
        return found === "silent" ? t("details.readAt", { at: format.at(time, now) }) : t("details.read", { ago });
    }

    return {
        element,

        /**
         * @param {import("../../../water/headline.js").Tank} tank
         * @param {Gauge} own
         * @param {number} now
         * @param {import("../../../water/series.js").Series | null} series The last hours.
         * @returns {{state: GaugeState, isOld: boolean}}
         */
        update(tank, own, now, series) {
            const connection = store.connection.value;
            const isCutOff = isUnknownNow(connection);
            const { state: known, isOld } = stateOf(own, tank, now);
            // Nobody knows whether it is fine; nor is it the probe that is silent.
            const isUnknown = isCutOff && known === "fine";
            const found = isUnknown ? "silent" : known;
            setText(value, format.number(own.value, own.range.decimals));
            setText(unit, own.value === null ? "" : format.withUnit("", own.unit).trim());
            const isWorked = isGoingOn(tank.work, now);
            const isBeyond = isWorked && found === "fine" && sideOf(own.value, own.range) !== null;
            setShape(shape, found === "waiting" || isBeyond ? null : isUnknown && connection.state === "offline" ? "offline" : found);
            setText(
                state,
                isUnknown ? unknownText(connection.state) : stateText(own, found, now, isWorked),
            );
            setText(since, sinceText(own, found, now));
            const shownApart = found === "fine" && !isWorked ? own.apart ?? null : null;
            set(apart, "hidden", shownApart === null);
            setText(apartWords, shownApart === null ? "" : apartText(context, own.name, shownApart, now));
            const ahead = found === "fine" && series ? outlookOf(series, own.range, now) : null;
            set(outlook, "hidden", ahead === null);
            setText(
                outlook,
                ahead === null ? "" : t(`details.outlook_${ahead.side}`, {
                    limit: format.withUnit(format.limit(ahead.limit, own.range.decimals), own.unit),
                    time: format.placed(ahead.at, now),
                }),
            );
            return { state: found, isOld: isOld || isCutOff };
        },

        /**
         * What somebody measured where no probe does.
         * @param {Gauge} own
         * @param {import("../../../water/by-hand.js").HandPoint} last
         * @param {import("../../../water/tanks.js").Parameter | null} parameter
         * @param {number} now
         * @returns {GaugeState}
         */
        updateByHand(own, { at, by, value: test }, parameter, now) {
            const number = test.choice === null ? ownValue(test, parameter) : null;
            setText(value, number === null ? handText({ format }, test, parameter) : format.number(number, own.range.decimals));
            setText(unit, number === null ? "" : format.withUnit("", own.unit).trim());
            setShape(shape, "byHand");
            const who = by === null ? "" : ` · ${by.isMe ? t("journal.you") : by.name}`;
            setText(state, t("details.byHand", { ago: format.ago(Date.parse(at), now) }) + who);
            const found = test.finding === "low" || test.finding === "high" ? test.finding : "fine";
            const judged = test.finding === "noLimit" ? "" : found === "fine" ? t("details.byHand_inRange") : t(`byHand.card_${found}`);
            setText(since, joined({ t }, judged, t("details.noProbe")));
            set(outlook, "hidden", true);
            set(apart, "hidden", true);
            return found;
        },

        /** @param {boolean} isKnown Whether what the device has is known, and the parameter is not among it. */
        updateUnknown(isKnown) {
            setText(state, isKnown ? t("details.unknown") : "");
            setText(since, isKnown ? t("details.unknownReason") : "");
        },
    };
}
