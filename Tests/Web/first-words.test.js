/** The first screens ask for the words that come with them alone; whatever comes when it is needed brings the others. */

import { deepStrictEqual as same, ok, rejects, strictEqual as equal, throws } from "node:assert/strict";
import { match } from "../../Services/Gateway/Web/app/routes.js";
import { loadFirstWords, loadWords, wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import * as screens from "../../Services/Gateway/Web/screens/index.js";
import { en, first, isFirst } from "./languages.js";

const web = new URL("../../Services/Gateway/Web/", import.meta.url);
const keys = Object.entries(en).flatMap(([section, texts]) => Object.keys(texts).map((name) => `${section}.${name}`));
const firstKeys = new Set(keys.filter((key) => isFirst(...(/** @type {[string, string]} */ (key.split("."))))));

/** A script without comments. @param {string} path Below the app's folder. */
const codeOf = (path) => Deno.readTextFileSync(new URL(path, web)).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");

/**
 * The scripts that a script imports, at once or when it needs them; those that come along with all words are none of them.
 * @param {string} path
 * @param {string} code
 */
function importsOf(path, code) {
    return [...code.matchAll(/(\balong\(import\()?"(\.\.?\/[^"\n]+\.js)"/g)].filter(([, along]) => !along)
        .map(([, , name]) => new URL(name, new URL(path, web)).pathname.slice(web.pathname.length));
}

/** Routes by their files, as far as the shell announces their scripts or does not. */
const routes = importsOf("screens/index.js", codeOf("screens/index.js")).map((path) => {
    const code = codeOf(path);
    return { path, isFirst: /\bisFirst: true,/.test(code), scripts: importsOf(path, code) };
});

/** All that runs before the other words were asked for. */
function firstScripts() {
    const later = new Set(routes.filter((route) => !route.isFirst).map(({ path }) => path));
    /** @type {Map<string, string>} */
    const found = new Map();
    /** @param {string} path */
    const visit = (path) => {
        if (found.has(path) || path === "lang/languages.js") return;
        const code = codeOf(path);
        found.set(path, code);
        // What such a route names comes with all words.
        if (!later.has(path)) importsOf(path, code).forEach(visit);
    };
    visit("app/main.js");
    return found;
}

/**
 * The texts that a script names: one, those of a section whose names begin so, or those of a code.
 * @param {string} code
 */
function askedBy(code) {
    return [...code.matchAll(/["'`](\w+\.\w*)(\$\{)?/g)].filter(([, key]) => Object.hasOwn(en, key.split(".")[0])).flatMap(([, key, isOpen]) =>
        !isOpen && keys.includes(key) ? [key] : keys.filter((one) => one.startsWith(isOpen ? key : `${key}_`))
    );
}

const scripts = firstScripts();

Deno.test("no first screen asks for a word that has not come", () => {
    ok(scripts.size > 140, `${scripts.size}`);
    for (const path of ["screens/home/home.js", "screens/entrance/sign-up.js", "kinds/range.js"]) ok(scripts.has(path), path);
    ok(!scripts.has("screens/home/details/pane.js") && !scripts.has("app/care.js"));
    const missing = [...scripts].flatMap(([path, code]) => askedBy(code).filter((key) => !firstKeys.has(key)).map((key) => `${path}: ${key}`));
    same(missing, []);
    same(askedBy('t("care.title"); t(`tabs.${name}`); wordOf(t, "account.event", kind)').filter((key) => /^care|tabs.due|event_token/.test(key)), [
        "care.title", "tabs.due", "account.event_tokenMade", "account.event_tokenRevoked",
    ]);
});

Deno.test("the first words are those that a first screen asks for", () => {
    const asked = new Set([...scripts.values()].flatMap(askedBy));
    const unasked = first.filter((entry) => ![...asked].some((key) => key === entry || key.startsWith(`${entry}.`) || key.startsWith(`${entry}_`)));
    same(unasked, []);
    same(first, [...new Set(first)].sort());
    ok(firstKeys.size < keys.length / 2, `${firstKeys.size} of ${keys.length}`);
});

Deno.test("the first screens are those whose scripts the shell announces", () => {
    const shell = Deno.readTextFileSync(new URL("index.html", web));
    const announced = [...shell.matchAll(/rel="modulepreload" href="\/([^"]+)"/g)].map(([, path]) => path).sort();
    same([...new Set(routes.filter(({ isFirst }) => isFirst).flatMap(({ scripts }) => scripts))].sort(), announced);
    same(["/", "/sign-in", "/care", "/answer"].map((path) => match(path)?.route.isFirst ?? false), [true, true, false, false]);
    equal(routes.length, Object.keys(screens).length);
});

Deno.test("the other words come along with what asks for them", async () => {
    const t = await loadFirstWords("es");
    equal(t("tabs.care"), "Cuidados");
    equal(t.has("care.due"), false);
    throws(() => t("chain.add"));
    equal(await t.along(Promise.resolve("a screen")), "a screen");
    const whole = await loadWords("es");
    for (const key of keys) equal(t.has(key), whole.has(key), key);
    ok(t.has("chain.add") && t.has("chain.title"), "a section is in both parts");
});

Deno.test("words that did not come are asked for again, once for all that wait", async () => {
    let asked = 0;
    let isAway = true;
    const others = () => {
        asked += 1;
        return isAway ? Promise.reject(new TypeError("no connection")) : Promise.resolve({ a: { c: "C" }, d: { e: "E" } });
    };
    const first = { a: { b: "B" } };
    const t = wordsOf("en", first, others);
    await rejects(t.along(Promise.resolve()));
    isAway = false;
    await Promise.all([t.along(Promise.resolve()), t.along(Promise.resolve())]);
    same([asked, t("a.b"), t("a.c"), t("d.e"), first], [2, "B", "C", "E", { a: { b: "B" } }]);
    await rejects(t.along(Promise.reject(new TypeError("a screen"))), /a screen/);
});
