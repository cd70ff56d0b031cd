/** The probable explanation of a silence, by the device's own last words. */

/** @typedef {{kind: string, number: number}} SilenceHint The percent of a battery, restarts of a day, or a signal in dBm. */
/** @typedef {Pick<import("../words/format.js").Voice, "t" | "format">} Words */

/** The hints that have words here; a newer service may know others. */
const kinds = new Set(["battery", "restarts", "signal", "signals"]);

/**
 * With a minus sign, not a hyphen, behind which a line may end.
 * @param {Words} words
 * @param {number} number
 */
export const numberText = ({ format }, number) => format.number(number, 0).replace("-", "\u2212");

/**
 * One sentence; empty where nothing explains it.
 * @param {Words} words
 * @param {SilenceHint | null | undefined} hint
 */
export function hintText(words, hint) {
    return hint && kinds.has(hint.kind) ? words.t(`hint.${hint.kind}`, { number: numberText(words, hint.number) }) : "";
}
