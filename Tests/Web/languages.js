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

/** Each in its own name. @type {Record<string, string>} */
export const languages = Object.fromEntries(Object.entries(files).map(([code, { language }]) => [code, String(language.name)]));

/** @type {Record<string, () => Promise<{default: Catalogue}>>} */
export const catalogues = Object.fromEntries(Object.keys(files).map((code) => [code, () => Promise.resolve({ default: of(code) })]));

export const [en, es, ja, de] = ["en", "es", "ja", "de"].map(of);
