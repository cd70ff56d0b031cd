/**
 * Numbers as people write and read them. What is missing is a dash, never a zero.
 */

export const missing = "–";
const noBreakSpace = "\u00a0";
/** Far less than any unit tells apart, and more than what conversions get wrong. */
export const noise = 1e-9;

/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/**
 * A number with all digits of the sensor's precision: 12.0, −0.5; in Spanish 12,0. From five digits on they are grouped: 12,500.
 * @param {number | null | undefined} value
 * @param {number} decimals
 * @param {string} locale
 */
export function number(value, decimals, locale) {
    if (value === null || value === undefined || !Number.isFinite(value)) return missing;
    const isGrouped = Math.abs(value) >= 10_000;
    const key = `${locale} ${decimals} ${isGrouped}`;
    let format = formats.get(key);
    if (!format) {
        format = new Intl.NumberFormat(locale, {
            minimumFractionDigits: decimals,
            maximumFractionDigits: decimals,
            useGrouping: isGrouped,
            numberingSystem: "latn",
        });
        formats.set(key, format);
    }
    return format.format(rounded(value, decimals)).replace("-", "−");
}

/**
 * A limit: as a number, but a zero has no digits behind the mark.
 * @param {number | null | undefined} value
 * @param {number} decimals
 * @param {string} locale
 */
export function limit(value, decimals, locale) {
    return value === 0 ? "0" : number(value, decimals, locale);
}

/**
 * Those that differ from their unit's name.
 * @type {Record<string, string>}
 */
const symbols = {
    C: "°C",
    F: "°F",
    pH: "",
    "mg/L NH3": "mg/L NH₃",
    "mg/L NH3-N": "mg/L NH₃-N",
    "mg/L NO3-N": "mg/L NO₃-N",
    "mg/L NO2-N": "mg/L NO₂-N",
    fH: "°fH",
    eH: "°e",
    "umol/L": "µmol/L",
    "uS/cm": "µS/cm",
};

/**
 * Where there is room for six characters: a mass is in mg/L wherever it is not said.
 * @type {Record<string, string>}
 */
const shortSymbols = { "mg/L NH3": "NH₃", "mg/L NH3-N": "NH₃-N", "mg/L NO3-N": "NO₃-N", "mg/L NO2-N": "NO₂-N" };

/**
 * The symbol behind a number; empty for pH.
 * @param {string} unit
 */
function symbolOf(unit) {
    return symbols[unit] ?? unit;
}

/**
 * The symbol in few characters, for the inside of a ring.
 * @param {string} unit
 */
export function shortSymbolOf(unit) {
    return shortSymbols[unit] ?? symbolOf(unit);
}

/**
 * A number's text with its unit, as the language writes both; they are never on two lines. Japanese sets the degree sign without a space.
 * @param {string} text
 * @param {string} unit
 * @param {import("../lang/index.js").Words} t
 */
export function withUnit(text, unit, t) {
    const symbol = symbolOf(unit);
    if (symbol === "" || text === missing) return text;
    const key = symbol.startsWith("°") ? "language.degrees" : "language.quantity";
    return t(key).replaceAll(" ", noBreakSpace).replace("{number}", () => text).replace("{unit}", () => symbol);
}

/**
 * The number that a person typed, with a comma or a point, also in full width; null when it is none.
 * @param {string} text
 * @returns {number | null}
 */
export function parseNumber(text) {
    const plain = text.normalize("NFKC").trim()
        .replace(/[−‐‑–ー]/gu, "-")
        .replace(/[,、。٫]/gu, ".");
    if (!/^[-+]?(\d+\.?\d*|\.\d+)$/.test(plain)) return null;
    const value = Number(plain);
    return Number.isFinite(value) ? value : null;
}

/**
 * Rounded to so many digits, halves away from zero, as the service rounds: 293.15, which is kept as a little less, is
 * 293.2.
 * @param {number} value
 * @param {number} decimals
 */
export function rounded(value, decimals) {
    return lastDigits(value, decimals) / 10 ** decimals;
}

/**
 * The same in units of the last digit: a sensor's steps, where the value is canonical.
 * @param {number} value
 * @param {number} decimals
 */
export function lastDigits(value, decimals) {
    const count = Math.floor(Math.abs(value) * 10 ** decimals + 0.5 + noise);
    return value < 0 && count !== 0 ? -count : count;
}

/** @param {readonly number[]} values At least one. */
export function median(values) {
    const sorted = [...values].sort((one, other) => one - other);
    const middle = sorted.length >> 1;
    return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
