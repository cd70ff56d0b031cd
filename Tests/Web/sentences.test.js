/** Every sentence that the app asks for exists, and none is left over. */

import { deepStrictEqual as same, ok } from "node:assert/strict";
import { wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import { joined, joinedParts, listed } from "../../Services/Gateway/Web/words/sentence.js";
import { de, en, es, files, ja } from "./languages.js";

const web = new URL("../../Services/Gateway/Web/", import.meta.url);

/** What is read beside a sentence: the forms of a parameter's name. */
const forms = /_(noun|subject|gender)$/;

/** @param {URL} folder @returns {Promise<string>} The code below a folder, without the sentences themselves. */
async function codeBelow(folder) {
    let code = "";
    for await (const entry of Deno.readDir(folder)) {
        if (entry.name === "lang") continue;
        if (entry.isDirectory) code += await codeBelow(new URL(`${entry.name}/`, folder));
        else if (entry.name.endsWith(".js")) code += await Deno.readTextFile(new URL(entry.name, folder));
    }
    return code;
}

Deno.test("every sentence that is asked for exists, and none is left over", async () => {
    const shell = await Deno.readTextFile(new URL("index.html", web));
    const code = await codeBelow(web) + shell.replaceAll(/data-words="([^"]+)"/g, '"$1"');
    const t = wordsOf("en", en);
    const sections = Object.keys(en);
    const asked = [...code.matchAll(/["'`]([a-z]\w*)\.((?:\w|\$\{[^}]*\})+)["'`]/g)]
        .filter((match) => sections.includes(match[1]))
        // A name alone, such as "alerts.reason", also stands before a value: alerts.reason_opened.
        .map((match) => ({ section: match[1], pattern: new RegExp(`^${match[2].replace(/\$\{[^}]*\}/g, "[\\w-]+")}(_[\\w-]+)?$`) }));
    ok(asked.length > 300, `${asked.length}`);
    const missing = asked
        .filter(({ section, pattern }) => !Object.keys(en[section]).some((key) => pattern.test(key)) && !t.has(nameOf(section, pattern)))
        .map(({ section, pattern }) => `${section} ${pattern}`);
    same(missing, []);
    // The services write numbers by the rest of it.
    const unused = sections.filter((section) => section !== "language").flatMap((section) =>
        Object.keys(en[section])
            .filter((key) => section !== "water" || !forms.test(key))
            .filter((key) => !asked.some((found) => found.section === section && found.pattern.test(key)))
            .map((key) => `${section}.${key}`)
    );
    same(unused, []);
});

/** What the rules for times say already, in front of a time or behind it: "desde las la 1:05" is no Spanish. */
const doubled = [
    { catalogue: en, pattern: /\b(at|on) \{(at|time|times)\}/ },
    { catalogue: es, pattern: /\b(al?|las?|el|del) \{(at|time|times|from|until)\}/ },
    { catalogue: de, pattern: /\b(um|am) \{(at|time|times)\}|\{(at|time|times)\} Uhr/ },
];

Deno.test("no sentence has what the rule for its time has", () => {
    for (const { catalogue, pattern } of doubled) {
        const sentences = Object.entries(catalogue).filter(([section]) => section !== "language")
            .flatMap(([, texts]) => Object.values(texts)).flatMap((text) => typeof text === "string" ? [text] : Object.values(text));
        same(sentences.filter((sentence) => pattern.test(sentence)), []);
    }
});

Deno.test("a time behind a preposition is written by the rule, and one by itself is not", async () => {
    const code = await codeBelow(web);
    let count = 0;
    for (const [, keys, values] of code.matchAll(/\bt\(((?:[^(){}]|\$\{[^}]*\})+), \{((?:[^{}]|\{[^}]*\})*)\}\)/g)) {
        for (const [, place, form] of values.matchAll(/(\w+): (?:context\.)?format\.(moment|clock|placed)\(/g)) {
            for (const [, section, name] of keys.matchAll(/["`](\w+)\.((?:\w|\$\{[^}]*\})+)["`]/g)) {
                const pattern = new RegExp(`^${name.replace(/\$\{[^}]*\}/g, "\\w+")}$`);
                const texts = Object.entries(es[section]).filter(([key]) => pattern.test(key))
                    .map(([, text]) => typeof text === "string" ? text : text.other).filter((text) => text.includes(`{${place}}`));
                for (const text of texts) {
                    const isBehind = new RegExp(`\\b(a|de|desde|hacia|hasta) \\{${place}\\}`, "i").test(text);
                    same([text, isBehind], [text, form === "placed"]);
                    count += 1;
                }
            }
        }
    }
    ok(count > 20, `${count}`);
});

Deno.test("how a language writes things is in its file: no code asks which it is", async () => {
    const code = await codeBelow(web);
    const codes = Object.keys(files).join("|");
    same([...code.matchAll(new RegExp(`.*(?:[!=]== |startsWith\\(|case )"(?:${codes})".*`, "g"))].map(([line]) => line.trim()), []);
});

Deno.test("sentences follow one another, and things are listed, as the language has it", () => {
    for (const [language, catalogue, sentences, list] of /** @type {const} */ ([["en", en, "A. B. C.", "1, 2, 3"], ["ja", ja, "A.B.C.", "1、2、3"]])) {
        const voice = { t: wordsOf(language, catalogue) };
        same(joined(voice, "A.", "", "B.", "C."), sentences);
        same(listed(voice, ["1", "2", "3"]), list);
        same([joined(voice), joined(voice, "", "A."), listed(voice, []), listed(voice, ["1"])], ["", "A.", "", "1"]);
        const parts = joinedParts(voice, { text: "A.", isStrong: true }, [{ text: "B." }]);
        same(parts.map(({ text }) => text).join(""), joined(voice, "A.", "B."));
        same([parts[0], parts.at(-1)], [{ text: "A.", isStrong: true }, { text: "B." }]);
    }
});

/** The whole name that a pattern without places stands for. @param {string} section @param {RegExp} pattern */
function nameOf(section, pattern) {
    return `${section}.${pattern.source.slice(1).replace("(_[\\w-]+)?$", "")}`;
}
