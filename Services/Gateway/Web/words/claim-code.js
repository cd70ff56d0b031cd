/**
 * The code by which a device is linked: 12 characters in groups of four, from an alphabet without look-alikes.
 */

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const length = 12;

/**
 * What a person typed or pasted, as the code is printed. Letters that look like digits are those digits.
 * @param {string} text
 */
export function tidied(text) {
    const letters = text.normalize("NFKC").toUpperCase().replaceAll("O", "0").replace(/[IL]/g, "1");
    const known = [...letters].filter((letter) => alphabet.includes(letter)).slice(0, length);
    return known.join("").replace(/(.{4})(?=.)/g, "$1-");
}

/** @param {string} text */
export function isWhole(text) {
    return tidied(text).replaceAll("-", "").length === length;
}

/**
 * The code in what a label's symbol says: the code itself, or an address that ends with it.
 * @param {string} text
 * @returns {string | null}
 */
export function codeIn(text) {
    const last = text.split(/[/#?=&]/).at(-1) ?? "";
    return isWhole(last) ? tidied(last) : null;
}
