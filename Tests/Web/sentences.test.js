import { deepStrictEqual as same, ok } from "node:assert/strict";

const web = new URL("../../Services/Gateway/Web/", import.meta.url);
const sections = ["home", "details", "water"];
const languages = ["en", "ja", "es"];

/** @typedef {Record<string, string | Record<string, string>>} Section */

/**
 * @param {string} language
 * @param {string} section
 * @returns {Promise<Section>}
 */
async function wordsOf(language, section) {
    return (await import(`${web}lang/${language}/${section}.js`)).default[section];
}

/** @param {string | Record<string, string>} entry */
function placeholders(entry) {
    const texts = typeof entry === "string" ? [entry] : Object.values(entry);
    return [...new Set(texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1])))].sort();
}

for (const section of sections) {
    Deno.test(`${section}: every language says the same things of the same values, in all of its plurals`, async () => {
        const english = await wordsOf("en", section);
        for (const language of languages) {
            const own = await wordsOf(language, section);
            same(Object.keys(own).sort(), Object.keys(english).sort());
            for (const [key, entry] of Object.entries(own)) {
                same(placeholders(entry), placeholders(english[key]), `${language} ${section}.${key}`);
                if (typeof entry !== "string") {
                    same(Object.keys(entry).sort(), new Intl.PluralRules(language).resolvedOptions().pluralCategories.sort(), key);
                }
            }
        }
    });
}

Deno.test("every sentence that a screen asks for exists, and none is left over", async () => {
    const folders = ["screens/home", "screens/details"];
    let code = "";
    code += await Deno.readTextFile(new URL("app/rail.js", web));
    for (const folder of folders) {
        for await (const file of Deno.readDir(new URL(folder, web))) {
            if (file.name.endsWith(".js")) code += await Deno.readTextFile(new URL(`${folder}/${file.name}`, web));
        }
    }
    const asked = [...code.matchAll(/["`](home|details|water)\.([\w${}.]+)["`]/g)].map((match) => ({
        section: match[1],
        pattern: new RegExp(`^${match[2].replace(/\$\{[^}]*\}/g, "\\w+")}$`),
    }));
    ok(asked.length > 60);
    const all = await Promise.all(sections.map(async (section) => ({ section, keys: Object.keys(await wordsOf("en", section)) })));
    for (const { section, pattern } of asked) {
        ok(all.some((found) => found.section === section && found.keys.some((key) => pattern.test(key))), `${section}.${pattern}`);
    }
    for (const { section, keys } of all) {
        if (section === "water") continue; // the names of parameters are shared by all screens
        for (const key of keys) {
            ok(asked.some((found) => found.section === section && found.pattern.test(key)), `${section}.${key} is not used`);
        }
    }
});
