/** Why a limit is proposed, and what it is beside the limits that hold, in words. */

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
