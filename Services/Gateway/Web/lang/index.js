/**
 * Sentences of the app, whole ones, in each language.
 */

/** @typedef {Record<string, string | number>} Values */
/** @typedef {{one?: string, many?: string, other: string}} Plural */
/** @typedef {Record<string, Record<string, string | Plural>>} Catalogue Sections with their sentences. */
/** @typedef {((key: string, values?: Values) => string) & {language: string, has: (key: string) => boolean}} Words */

/** Each in its own name. */
export const languages = /** @type {const} */ ({ en: "English", ja: "日本語", es: "Español" });

/** @typedef {keyof typeof languages} Language */

/** @type {Record<Language, () => Promise<{default: Catalogue}>>} */
const catalogues = {
    en: () => import("./en.js"),
    ja: () => import("./ja.js"),
    es: () => import("./es.js"),
};

/**
 * The first of a person's languages that the app speaks.
 * @param {readonly string[]} wished
 * @returns {Language}
 */
export function chosenLanguage(wished) {
    for (const locale of wished) {
        const language = locale.toLowerCase().split("-")[0];
        if (isLanguage(language)) return language;
    }
    return "en";
}

/**
 * @param {string} text
 * @returns {text is Language}
 */
export function isLanguage(text) {
    return Object.hasOwn(languages, text);
}

/**
 * @param {Language} language
 * @returns {Promise<Words>}
 */
export async function loadWords(language) {
    return wordsOf(language, (await catalogues[language]()).default);
}

/**
 * @param {string} language
 * @param {Catalogue} catalogue
 * @returns {Words}
 */
export function wordsOf(language, catalogue) {
    const plurals = new Intl.PluralRules(language);
    /**
     * @param {string} key
     * @param {Values} [values] What stands for `{name}`; `count` chooses among plural forms.
     */
    const words = (key, values = {}) => {
        const [section, name] = key.split(".");
        const found = catalogue[section]?.[name];
        if (found === undefined) throw new Error(`There are no words for ${key}.`);
        const sentence = typeof found === "string"
            ? found
            : found[/** @type {keyof Plural} */ (plurals.select(Number(values.count)))] ?? found.other;
        return sentence.replace(/\{(\w+)\}/g, (whole, name) => Object.hasOwn(values, name) ? String(values[name]) : whole);
    };
    /** @param {string} key */
    const has = (key) => {
        const [section, name] = key.split(".");
        return Object.hasOwn(catalogue, section) && Object.hasOwn(catalogue[section], name);
    };
    return Object.assign(words, { language, has });
}
