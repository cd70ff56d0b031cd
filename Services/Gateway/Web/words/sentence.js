/** Sentences in parts: a value in one of them is stressed. */

/** @typedef {{text: string, isStrong?: boolean}} Part */

/** Stands for a value until the sentence is cut there. */
export const mark = "\u0001";

/** @param {string} text @returns {Part[]} */
export function plain(text) {
    return text === "" ? [] : [{ text }];
}

/**
 * @param {string} text A sentence with the mark in it.
 * @param {string} value
 * @returns {Part[]}
 */
export function strong(text, value) {
    return text.split(mark).flatMap((part, index) => index === 0 ? plain(part) : [{ text: value, isStrong: true }, ...plain(part)]);
}

/**
 * One sentence after the other, as the language writes them.
 * @param {Pick<import("./format.js").Voice, "t">} voice
 * @param {...string} sentences
 */
export function joined({ t }, ...sentences) {
    const [head = "", ...others] = sentences.filter((sentence) => sentence !== "");
    return others.reduce((first, next) => t("language.sentences", { first, next }), head);
}

/**
 * The same where the first is one part.
 * @param {Pick<import("./format.js").Voice, "t">} voice
 * @param {Part} first
 * @param {readonly Part[]} next
 * @returns {Part[]}
 */
export function joinedParts({ t }, first, next) {
    const [before, between, behind] = t("language.sentences", { first: mark, next: mark }).split(mark);
    return [...plain(before), first, ...plain(between), ...next, ...plain(behind)];
}

/**
 * Lists things as the language does.
 * @param {Pick<import("./format.js").Voice, "t">} voice
 * @param {readonly string[]} things
 */
export function listed({ t }, [head = "", ...others]) {
    return others.reduce((first, next) => t("language.list", { first, next }), head);
}
