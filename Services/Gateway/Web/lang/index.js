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
     * @returns {string}
     */
    const words = (key, values = {}) => {
        const [section, name] = key.split(".");
        const found = catalogue[section]?.[name];
        if (found === undefined) return ofAny(section, name, values);
        const sentence = typeof found === "string"
            ? found
            : found[/** @type {keyof Plural} */ (plurals.select(Number(values.count)))] ?? found.other;
        return sentence.replace(/\{(\w+)\}/g, (whole, name) => Object.hasOwn(values, name) ? String(values[name]) : whole);
    };
    /**
     * The sentence of any parameter, with the name of this one: `water.phosphate_low` is `water.any_low` of `water.phosphate`.
     * @param {string} section
     * @param {string} name
     * @param {Values} values
     * @returns {string}
     */
    const ofAny = (section, name, values) => {
        const subject = subjectOf(section, name);
        if (subject === null) throw new Error(`There are no words for ${section}.${name}.`);
        return words(`${section}.any${name.slice(subject.length)}`, { ...values, name: words(`${section}.${subject}`) });
    };
    /**
     * @param {string} section
     * @param {string} name
     */
    const subjectOf = (section, name) => {
        const [, subject, state] = /^(\w+)(_[a-zA-Z]+)$/.exec(name) ?? [];
        const known = catalogue[section] ?? {};
        return subject !== undefined && Object.hasOwn(known, subject) && Object.hasOwn(known, `any${state}`) ? subject : null;
    };
    /** @param {string} key */
    const has = (key) => {
        const [section, name] = key.split(".");
        if (!Object.hasOwn(catalogue, section)) return false;
        return Object.hasOwn(catalogue[section], name) || subjectOf(section, name) !== null;
    };
    return Object.assign(words, { language, has });
}
