/** What is said of a place whose water people test themselves. */

/**
 * When it was tested last, in words.
 * @param {import("../words/format.js").Voice} voice
 * @param {number | null | undefined} testedAt null: never.
 * @param {number} now
 */
export function testedText({ t, format }, testedAt, now) {
    return typeof testedAt === "number" ? t("home.byHand", { ago: format.ago(testedAt, now) }) : t("home.byHand_never");
}
