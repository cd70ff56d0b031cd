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
 * @param {Pick<import("./format.js").Format, "language">} format
 * @param {...string} sentences
 */
export function joined({ language }, ...sentences) {
    return sentences.filter((sentence) => sentence !== "").join(language === "ja" ? "" : " ");
}
