/** Tables as CSV (RFC 4180) for spreadsheets, which must not take what somebody typed for a formula. */

/** Letters with which a cell begins to be a formula. */
const formula = /^[=+\-@\t\r]/;
/** By which spreadsheets know UTF-8. */
const mark = "\ufeff";

/** What cannot be a call, a link or a command in any spreadsheet; a key loses nothing so. */
const word = /^[\w-]*$/;

/**
 * @param {readonly (readonly (string | null)[])[]} rows
 */
export const csvOf = (rows) => mark + rows.map((row) => `${row.map(cellOf).join(",")}\r\n`).join("");

/** @param {string | null} text */
function cellOf(text) {
    const safe = formula.test(text ?? "") && !word.test(text ?? "") ? `'${text}` : text ?? "";
    return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
