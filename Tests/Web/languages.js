/** The catalogues as the Gateway serves them to the app: its scripts find this file in the place of `lang/languages.js`. */

/** @typedef {import("../../Services/Gateway/Web/lang/index.js").Catalogue} Catalogue */
/** @typedef {{language: Catalogue[string], shared: Catalogue, app: Catalogue, services: Catalogue}} File */

const folder = new URL("../../Shared/Words/Languages/", import.meta.url);

/** Each language's file, by its code. */
export const files = Object.fromEntries(
    [...Deno.readDirSync(folder)].map(({ name }) => name).sort().map((name) => [
        name.replace(".json", ""),
        /** @type {File} */ (JSON.parse(Deno.readTextFileSync(new URL(name, folder)))),
    ]),
);

/** What the app has of a language. @param {string} code @returns {Catalogue} */
function of(code) {
    return { ...files[code].shared, ...files[code].app, language: files[code].language };
}

/** What the first screens ask for: a section, or a text with those that are called after it. @type {string[]} */
export const first = JSON.parse(Deno.readTextFileSync(new URL("../../Services/Gateway/Web/lang/first.json", import.meta.url)));

/** Whether a text comes with the first words. @param {string} section @param {string} name */
export function isFirst(section, name) {
    const key = `${section}.${name}`;
    return first.some((entry) => entry === section || entry === key || key.startsWith(`${entry}_`));
}

/** @param {string} code @param {boolean} areFirst @returns {{default: Catalogue}} */
function part(code, areFirst) {
    const sections = Object.entries(of(code)).map(([section, texts]) => {
        const own = Object.entries(texts).filter(([name]) => isFirst(section, name) === areFirst);
        return /** @type {const} */ ([section, Object.fromEntries(own)]);
    });
    return { default: Object.fromEntries(sections.filter(([, texts]) => Object.keys(texts).length > 0)) };
}

/** Each in its own name. @type {Record<string, string>} */
export const languages = Object.fromEntries(Object.entries(files).map(([code, { language }]) => [code, String(language.name)]));

/** The product's own look. @type {{name: string, filePrefix: string, logo: string | null}} */
export const brand = { name: "AquaMonitor", filePrefix: "aquamonitor-", logo: null };

/** @typedef {() => Promise<{default: Catalogue}>} Script */
/** @type {Record<string, {first: Script, others: Script}>} */
export const catalogues = Object.fromEntries(Object.keys(files).map((code) => [
    code,
    { first: () => Promise.resolve(part(code, true)), others: () => Promise.resolve(part(code, false)) },
]));

/** All that the app has of each language. */
export const wholes = Object.fromEntries(Object.keys(files).map((code) => [code, of(code)]));

export const [en, es, ja, de] = ["en", "es", "ja", "de"].map(of);
