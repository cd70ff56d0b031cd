/** The introduction stands in the page: its words in every language, its drawings those of the app. */

import { deepStrictEqual as same } from "node:assert/strict";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { languages } from "./languages.js";
import { match } from "../../Services/Gateway/Web/app/routes.js";

const web = new URL("../../Services/Gateway/Web/", import.meta.url);
const shell = await Deno.readTextFile(new URL("index.html", web));
const template = shell.match(/<template id="introduction">\n(.*?)<\/template>/s)?.[1] ?? "";
const keys = [...template.matchAll(/<span data-words="([^"]+)"><\/span>/g)].map(([, key]) => key);

Deno.test("each sentence is there in every language, and nothing else", async () => {
    for (const code of Object.keys(languages)) {
        const t = await loadWords(code);
        same(keys.filter((key) => !t.has(key)), [], code);
    }
    same(new Set(keys).size, keys.length);
    // Text outside of these would be in one language alone.
    same(template.replace(/<[^>]*>/g, "").trim(), "");
});

Deno.test("what other screens say too is said in the same words", () => {
    same([keys[0], keys.at(-2), keys.at(-1)], ["start.tagline", "start.signUp", "start.haveAccount"]);
});

Deno.test("the drawings are the app's", async () => {
    const sources = await Promise.all(
        ["components/symbol/symbol.js", "components/shape/shape.js"].map((path) => Deno.readTextFile(new URL(path, web))),
    );
    const paths = [...template.matchAll(/ d="([^"]+)"/g)].map(([, path]) => path);
    same(paths.length, 6);
    for (const path of paths) same(sources.some((source) => source.includes(`"${path}"`)), true, path);
});

Deno.test("its links lead to screens", () => {
    const links = [...template.matchAll(/ href="([^"]+)"/g)].map(([, path]) => path);
    same(links, ["/sign-up", "/sign-in"]);
    for (const link of links) same(match(link)?.route.who, "stranger");
});
