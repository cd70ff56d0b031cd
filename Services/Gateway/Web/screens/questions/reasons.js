/** Why a limit is proposed, and what it is beside the limits that hold, in words. */

import { reachOf } from "../../water/back-test.js";
import { differenceOf } from "../../water/questions.js";

/** @typedef {import("../../words/format.js").Voice} Voice */
/** @typedef {import("../../water/questions.js").Choice} Choice */
/** @typedef {import("../../water/questions.js").Proposal} Proposal */

/**
 * Two that cannot live in the same water.
 * @param {Voice} voice
 * @param {Proposal} proposal
 */
export function clashText({ t, format }, { clash, decimals, unit }) {
    if (clash === null) return "";
    /** @param {number} value */
    const text = (value) => format.withUnit(format.number(value, decimals), unit);
    const { needs, bears } = clash;
    return t("questions.clash", { needs: needs.name, least: text(needs.value), bears: bears.name, most: text(bears.value) });
}

/**
 * How a total of ammonia follows from what is borne of its free part; empty of other limits.
 * @param {Voice} voice
 * @param {import("../../water/questions.js").Reason} reason
 */
export function freeText({ t, format }, { freeAmmonia }) {
    if (!freeAmmonia) return "";
    const { most, ph, temperature, unit } = freeAmmonia;
    return t("questions.free", {
        most: format.withUnit(format.number(most, most < 0.1 ? 2 : 1), "ppm"),
        ph: format.number(ph, 1),
        warmth: format.withUnit(format.number(temperature, 0), unit),
    });
}

/**
 * What becomes of the parameter's limits; none where that goes without saying.
 * @param {Pick<Voice, "t">} voice
 * @param {Choice} choice
 */
export function notesOf({ t }, choice) {
    const { proposal, isChosen } = choice;
    const difference = differenceOf(choice);
    if (difference === "same") return [t("questions.same")];
    if (!isChosen) return [t(difference === "wider" ? "questions.left_wider" : "questions.left")];
    return [
        ...difference === "wider" ? [t("questions.wider")] : [],
        ...proposal.measured === false ? [t("questions.noProbe")] : [],
    ];
}

/**
 * Who says so, in a row: the first of several, and how many there are besides.
 * @param {Pick<Voice, "t">} voice
 * @param {readonly string[]} sources
 */
export function sourcesText({ t }, [source = "", ...others]) {
    return others.length === 0 ? source : t("questions.sources", { source, count: others.length });
}

/**
 * What limits would have told, as short as a row wants it.
 * @param {Pick<Voice, "t">} voice
 * @param {import("../../water/back-test.js").Answer} answer
 * @param {import("../../water/told-limits.js").Told} said The same at length.
 */
export function toldText({ t }, answer, { sentence }) {
    if (answer.tooNew) return t("questions.told_tooNew");
    const [{ alarms, aheadAlarms = 0 }] = answer.results;
    const days = t("parameter.month_days", { count: reachOf(answer).days });
    if (alarms > 0) return t("questions.told", { times: sentence[1], days });
    return aheadAlarms > 0 ? sentence.join("") : t("questions.told_quiet", { days });
}
