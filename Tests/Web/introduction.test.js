/** The introduction stands in the page: its words in every language, its drawings those of the app. */

import { deepStrictEqual as same } from "node:assert/strict";
import { languages, loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { match } from "../../Services/Gateway/Web/app/routes.js";

const web = new URL("../../Services/Gateway/Web/", import.meta.url);
const shell = await Deno.readTextFile(new URL("index.html", web));
const template = shell.match(/<template id="introduction">\n(.*?)<\/template>/s)?.[1] ?? "";
const texts = [...template.matchAll(/<span lang="(\w+)">([^<]*)<\/span>/g)].map(([, language, text]) => ({ language, text }));

Deno.test("each sentence is there in every language, and nothing else", () => {
    const codes = Object.keys(languages);
    same(texts.length % codes.length, 0);
    texts.forEach(({ language, text }, index) => {
        same(language, codes[index % codes.length]);
        same(text.trim() === text && text.length > 3, true);
    });
    same(new Set(texts.map(({ text }) => text)).size, texts.length);
    // Text outside of these would be in one language alone.
    same(template.replace(/<span lang="\w+">[^<]*<\/span>/g, "").replace(/<[^>]*>/g, "").trim(), "");
});

for (const [index, code] of /** @type {import("../../Services/Gateway/Web/lang/index.js").Language[]} */ (Object.keys(languages)).entries()) {
    Deno.test(`what other screens say too is said in the same words: ${code}`, async () => {
        const t = await loadWords(code);
        const own = texts.filter(({ language }) => language === code).map(({ text }) => text);
        same([own[0], own.at(-2), own.at(-1)], [t("start.tagline"), t("start.signUp"), t("start.haveAccount")]);
        same(texts[index].text, own[0]);
    });
}

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
