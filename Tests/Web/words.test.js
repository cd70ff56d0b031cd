/** Every language says the same things: the same keys, the same places for values, every plural form. */

import { chosenLanguage, wordOf, wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import { en, wholes as catalogues } from "./languages.js";

/** @typedef {import("../../Services/Gateway/Web/lang/index.js").Catalogue} Catalogue */

/** Forms of a parameter's name, and sentences of its own, which a language has where it needs them. */
const optional = /^water\.(?!any_).*_(noun|subject|gender|full|probe)$/;

/** @param {Catalogue} catalogue */
function keysOf(catalogue) {
    return Object.entries(catalogue).flatMap(([section, words]) => Object.keys(words).map((name) => `${section}.${name}`));
}

/** @param {string | Record<string, string>} words */
function placesOf(words) {
    const sentences = typeof words === "string" ? [words] : [words.other];
    // A parameter's name stands in one form or the other; the installation's may be left out.
    const places = sentences.flatMap((sentence) => sentence.match(/\{\w+\}/g) ?? []).map((place) => place === "{noun}" ? "{name}" : place);
    return [...new Set(places)].filter((place) => place !== "{brand}").sort();
}

/**
 * @param {unknown} one
 * @param {unknown} other
 * @param {string} what
 */
function assertSame(one, other, what) {
    const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
    if (a !== b) throw new Error(`${what}: ${a} is not ${b}`);
}

for (const [language, catalogue] of Object.entries(catalogues)) {
    Deno.test(`${language} has the words that en has`, () => {
        const [own, wanted] = [catalogue, en].map((each) => new Set(keysOf(each).filter((key) => !optional.test(key))));
        assertSame([...wanted].filter((key) => !own.has(key)), [], "missing");
        assertSame([...own].filter((key) => !wanted.has(key)), [], "too many");
    });

    Deno.test(`${language} has places for the same values`, () => {
        for (const key of keysOf(en)) {
            const [section, name] = key.split(".");
            const [own, wanted] = [catalogue[section]?.[name], en[section][name]];
            // How a language writes numbers and times is its own.
            if (own === undefined || optional.test(key) || section === "language") continue;
            const places = placesOf(/** @type {any} */ (own));
            // A plural's one form may leave the number out.
            assertSame(places, placesOf(/** @type {any} */ (wanted)), key);
        }
    });

    Deno.test(`${language} has every plural form`, () => {
        const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
        for (const key of keysOf(catalogue)) {
            const [section, name] = key.split(".");
            const words = catalogue[section][name];
            // Sentences of any parameter have forms by its gender, and times by the hour.
            if (typeof words === "string" || section === "water" || section === "language") continue;
            for (const form of forms) {
                if (!(form in words)) throw new Error(`${key} lacks the form ${form}`);
            }
        }
    });
}

Deno.test("every word that the sources ask for is there", async () => {
    const root = new URL("../../Services/Gateway/Web/", import.meta.url);
    const t = wordsOf("en", en);
    const missing = [];
    for await (const path of scripts(root)) {
        const text = await Deno.readTextFile(path);
        for (const [, key] of text.matchAll(/\b(?:t|words|words\(\))\(\s*"([a-z]\w*\.[\w-]+)"/g)) {
            if (!t.has(key)) missing.push(`${path.pathname.split("/Web/")[1]}: ${key}`);
        }
    }
    assertSame(missing, [], "missing");
});

/**
 * @param {URL} folder
 * @returns {AsyncGenerator<URL>}
 */
async function* scripts(folder) {
    for await (const entry of Deno.readDir(folder)) {
        const url = new URL(entry.name + (entry.isDirectory ? "/" : ""), folder);
        if (entry.isDirectory) yield* scripts(url);
        else if (entry.name.endsWith(".js")) yield url;
    }
}

Deno.test("words are found and filled in", () => {
    const t = wordsOf("en", { a: { plain: "Hello {name}", count: { one: "one", other: "{count} things" } } });
    assertSame(t("a.plain", { name: "Ana" }), "Hello Ana", "a value");
    assertSame(t("a.count", { count: 1 }), "one", "one");
    assertSame(t("a.count", { count: 3 }), "3 things", "several");
    assertSame([t.has("a.plain"), t.has("a.other"), t.has("b.c")], [true, false, false], "has");
});

Deno.test("a parameter with a name alone has the sentences of any", () => {
    const t = wordsOf("en", {
        water: { any: "{name}", any_low: "{name} is low", any_silentFor: "{name} is silent for {span}", iron: "Iron", ph: "pH", ph_low: "Too sour" },
    });
    assertSame([t("water.iron"), t("water.iron_low"), t("water.ph_low")], ["Iron", "Iron is low", "Too sour"], "sentences");
    assertSame(t("water.iron_silentFor", { span: "2 h" }), "Iron is silent for 2 h", "values");
    assertSame([t.has("water.iron_low"), t.has("water.iron_high"), t.has("water.tin_low")], [true, false, false], "has");
});

Deno.test("a sentence has the form of the parameter's gender, and the name in the form that it needs", () => {
    const t = wordsOf("es", {
        water: {
            any_low: { f: "La {noun} está baja", m: "El {noun} está bajo", other: "{name}" },
            any_back: "{name}: {value}",
            ph: "pH",
            ph_gender: "m",
            salinity: "Salinidad",
            salinity_noun: "salinidad",
            salinity_subject: "La salinidad",
            salinity_gender: "f",
        },
    });
    assertSame([t("water.salinity_low"), t("water.ph_low")], ["La salinidad está baja", "El pH está bajo"], "forms");
    assertSame(t("water.salinity_back", { value: "7" }), "La salinidad: 7", "subject");
});

Deno.test("each parameter has its sentences", () => {
    const states = ["full", "low", "high", "lowShort", "highShort", "wasLow", "wasHigh", "back", "silent", "silentFor", "probe", "lowAction", "highAction"];
    for (const [language, catalogue] of Object.entries(catalogues)) {
        const t = wordsOf(language, catalogue);
        const kept = [...states, "noun", "subject", "gender", "rateAction"];
        const names = Object.keys(catalogue.water).filter((key) => !key.startsWith("any") && !kept.some((state) => key.endsWith(`_${state}`)));
        const missing = names.flatMap((name) => states.map((state) => `water.${name}_${state}`)).filter((key) => !t.has(key));
        assertSame(missing, [], language);
        if (names.length < 17) throw new Error(`${language} has ${names.length} parameters`);
    }
});

Deno.test("a parameter of a newer service has its bare name in the sentences of any", () => {
    for (const [language, catalogue] of Object.entries(catalogues)) {
        const t = wordsOf(language, catalogue);
        const states = Object.keys(catalogue.water).filter((key) => key.startsWith("any")).map((key) => key.slice("any".length));
        for (const name of ["lithium", "dissolved_lithium", "temperature_air"]) {
            for (const state of states) {
                const text = t(`water.${name}${state}`, { value: "7", span: "2 h", at: "3" });
                // Advice may leave the name out.
                if (!state.endsWith("Action") && !text.includes(name) || /[{}]/.test(text)) throw new Error(`${language} ${name}${state}: ${text}`);
            }
            assertSame(t.has(`water.${name}_full`), false, "has");
        }
    }
});

Deno.test("a code has its words, and is told as it is where it has none", () => {
    const t = wordsOf("en", { a: { state_sent: "on its way to {place}" } });
    assertSame([wordOf(t, "a.state", "sent", { place: "you" }), wordOf(t, "a.state", "lost")], ["on its way to you", "lost"], "words");
});

Deno.test("a value is never taken for a place", () => {
    const t = wordsOf("en", { a: { b: "{one} {two}" } });
    assertSame(t("a.b", { one: "{two}", two: "2" }), "{two} 2", "values");
});

Deno.test("an unknown word is an error", () => {
    const t = wordsOf("en", { a: { b: "c" } });
    let isThrown = false;
    try {
        t("a.x");
    } catch {
        isThrown = true;
    }
    assertSame(isThrown, true, "thrown");
});

Deno.test("the language is the first that the app speaks", () => {
    assertSame(chosenLanguage(["fr-FR", "es-MX", "en"]), "es", "Spanish");
    assertSame(chosenLanguage(["ja"]), "ja", "Japanese");
    assertSame(chosenLanguage(["fr"]), "en", "English otherwise");
});

Deno.test("the installation's name stands in its places, and is never a place itself", () => {
    const words = wordsOf("en", { own: { note: "{brand} sent {what}." } });
    assertSame(words("own.note", { what: "{brand}" }), "AquaMonitor sent {brand}.", "without a value");
    assertSame(words("own.note", { brand: "Reef", what: "it" }), "Reef sent it.", "with a value");
});
