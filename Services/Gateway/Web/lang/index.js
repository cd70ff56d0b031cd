/**
 * Sentences of the app, whole ones, in each language. The catalogues are the services' too (`Shared/Words/Languages`, a file each):
 * the Gateway makes `languages.js` and two scripts a language of them, one with the words of the first screens, which `first.json` lists,
 * and one with all others. Whatever the first screens do not bring with them comes along with the others.
 */

import { brand, catalogues, languages } from "./languages.js";

/** @typedef {Record<string, string | number>} Values */
/** @typedef {{other: string} & Record<string, string>} Forms A text in its forms: of a plural, or of a gender. */
/** @typedef {Record<string, Record<string, string | Forms>>} Catalogue Sections with their sentences. */
/** @typedef {<T>(coming: Promise<T>) => Promise<T>} Along Waits for a part of the app, and for all words, which it asks for. */
/** @typedef {((key: string, values?: Values) => string) & {language: string, has: (key: string) => boolean, along: Along}} Words */

/** @typedef {string} Language A code of ISO 639-1. */

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
 * @returns {boolean}
 */
export function isLanguage(text) {
    return Object.hasOwn(languages, text);
}

/**
 * The words of the first screens, for which nobody waits longer than they must.
 * @param {Language} language
 * @returns {Promise<Words>}
 */
export async function loadFirstWords(language) {
    const { first, others } = scriptsOf(language);
    return wordsOf(language, (await first()).default, async () => (await others()).default);
}

/**
 * All words.
 * @param {Language} language
 * @returns {Promise<Words>}
 */
export async function loadWords(language) {
    // Both scripts are asked for at once.
    const [words] = await Promise.all([loadFirstWords(language), scriptsOf(language).others()]);
    return await words.along(Promise.resolve(words));
}

/** @param {Language} language */
function scriptsOf(language) {
    return catalogues[language] ?? catalogues.en;
}

/**
 * @param {string} language
 * @param {Catalogue} first
 * @param {() => Promise<Catalogue>} [others] Brings what is not there yet.
 * @returns {Words}
 */
export function wordsOf(language, first, others = () => Promise.resolve({})) {
    const plurals = new Intl.PluralRules(language);
    const catalogue = { ...first };
    /** @type {Promise<void> | null} */
    let completing = null;
    async function complete() {
        try {
            for (const [section, texts] of Object.entries(await others())) catalogue[section] = { ...catalogue[section], ...texts };
        } catch (error) {
            completing = null; // asked for again with the next part
            throw error;
        }
    }
    /** @type {Along} */
    const along = async (coming) => (await Promise.all([coming, completing ??= complete()]))[0];
    /**
     * @param {string} key
     * @param {Values} [values] What stands for `{name}`; `count` chooses among plural forms. `{brand}` needs none.
     * @returns {string}
     */
    const words = (key, values = {}) => {
        const [section, name] = key.split(".");
        const found = catalogue[section]?.[name];
        if (found === undefined) return ofAny(section, name, values);
        return filled(typeof found === "string" ? found : found[plurals.select(Number(values.count))] ?? found.other, values);
    };
    /**
     * The sentence of any parameter, with the name of this one and in its gender: `water.phosphate_low` is `water.any_low` of
     * `water.phosphate`. A parameter of a newer service, of which there are no words, has its bare name there.
     * @param {string} section
     * @param {string} name
     * @param {Values} values
     * @returns {string}
     */
    const ofAny = (section, name, values) => {
        const subject = subjectOf(section, name) ?? bareOf(section, name);
        if (subject === null) throw new Error(`There are no words for ${section}.${name}.`);
        const texts = catalogue[section];
        const own = (/** @type {string} */ form) => /** @type {string | undefined} */ (texts[`${subject}_${form}`]);
        const plain = /** @type {string} */ (texts[subject] ?? subject);
        const found = texts[`any${name.slice(subject.length)}`];
        const sentence = typeof found === "string" ? found : found[own("gender") ?? "other"] ?? found.other;
        return filled(sentence, { ...values, name: own("subject") ?? plain, noun: own("noun") ?? plain });
    };
    /**
     * @param {string} sentence
     * @param {Values} values
     */
    const filled = (sentence, values) =>
        sentence.replace(/\{(\w+)\}/g, (whole, name) => Object.hasOwn(values, name) ? String(values[name]) : name === "brand" ? brand.name : whole);
    /**
     * @param {string} section
     * @param {string} name
     */
    const subjectOf = (section, name) => {
        const [, subject, state] = /^(\w+)(_[a-zA-Z]+)$/.exec(name) ?? [];
        const known = catalogue[section] ?? {};
        return subject !== undefined && Object.hasOwn(known, subject) && Object.hasOwn(known, `any${state}`) ? subject : null;
    };
    /**
     * The name of a parameter without words; `null` in a section that has no sentences of any.
     * @param {string} section
     * @param {string} name
     */
    const bareOf = (section, name) => {
        const known = catalogue[section] ?? {};
        if (!Object.hasOwn(known, "any")) return null;
        const [, subject, state] = /^(\w+)(_[a-zA-Z]+)$/.exec(name) ?? [];
        return subject !== undefined && Object.hasOwn(known, `any${state}`) ? subject : name;
    };
    /** @param {string} key */
    const has = (key) => {
        const [section, name] = key.split(".");
        if (!Object.hasOwn(catalogue, section)) return false;
        return Object.hasOwn(catalogue[section], name) || subjectOf(section, name) !== null;
    };
    return Object.assign(words, { language, has, along });
}

/**
 * The words for a code of the service, such as `alerts.state_sending` for `sending`; for one that only a newer service knows, the code.
 * @param {Words} t
 * @param {string} key Without the code.
 * @param {string} code
 * @param {Values} [values]
 */
export function wordOf(t, key, code, values) {
    const whole = `${key}_${code}`;
    return t.has(whole) ? t(whole, values) : code;
}
