/** Why a limit is proposed, and what it is beside the limits that hold, in words. */

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
 * What becomes of the parameter's limits; empty where that goes without saying.
 * @param {Voice} voice
 * @param {Choice} choice
 */
export function noteOf({ t }, { proposal, isChosen }) {
    if (proposal.difference === "same") return t("questions.same");
    if (!isChosen) return t(proposal.difference === "wider" ? "questions.left_wider" : "questions.left");
    if (proposal.measured === false) return t("questions.noProbe");
    return proposal.difference === "wider" ? t("questions.wider") : "";
}
