/** What is asked for before the first paint, by whom, and that it is what the app is going to take up. */

import { deepStrictEqual as same } from "node:assert/strict";
import { chosenLanguage, isLanguage } from "../../Services/Gateway/Web/lang/index.js";

const web = new URL("../../Services/Gateway/Web/", import.meta.url);
const first = await Deno.readTextFile(new URL("app/first.js", web));
const shell = await Deno.readTextFile(new URL("index.html", web));

/**
 * Runs the script in a page.
 * @param {Record<string, string>} kept What this device remembers.
 * @param {{languages?: string[], locks?: unknown, answer?: Promise<unknown>}} [surroundings]
 */
function begin(kept, { languages = ["en"], locks, answer = Promise.resolve("renewed") } = {}) {
    /** @type {unknown[]} */
    const asked = [];
    const page = {};
    const document = {
        documentElement: { dataset: {} },
        createElement: () => ({}),
        querySelector: (/** @type {string} */ selector) => ({ content: selector }),
        head: { append: (/** @type {unknown[]} */ ...links) => asked.push(...links) },
    };
    const localStorage = { getItem: (/** @type {string} */ key) => kept[key] ?? null };
    const fetch = (/** @type {string} */ path, /** @type {RequestInit} */ { method, body }) => {
        asked.push(`${method} ${path} ${body}`);
        return answer;
    };
    const run = new Function("document", "localStorage", "navigator", "fetch", "globalThis", first);
    run(document, localStorage, { languages, locks }, fetch, page);
    return { asked, page: /** @type {{aquaRenewal?: Promise<unknown>}} */ (page) };
}

for (const [kept, languages] of /** @type {[string | null, string[]][]} */ ([
    [null, ["fr-FR", "es-MX", "en"]], [null, ["JA-jp"]], [null, ["fr"]], ["es", ["ja"]], ["toString", ["ja"]], ["en", []],
])) {
    Deno.test(`the sentences are asked for: ${kept ?? "none"} kept, ${languages.join(" ")}`, () => {
        const { asked } = begin(kept ? { "aqua-language": kept } : {}, { languages });
        const language = kept && isLanguage(kept) ? kept : chosenLanguage(languages);
        same(asked[0], { rel: "modulepreload", href: `/lang/${language}.js` });
    });
}

Deno.test("a stranger's screens are asked for, and no session", () => {
    const { asked, page } = begin({});
    same(asked.slice(1), ['[data-for="stranger"]']);
    same(page, {});
});

Deno.test("a person's screen is asked for, and the session's renewal, before any module runs", async () => {
    const { asked, page } = begin({ "aqua-session": "1" });
    same(asked.slice(1), ['[data-for="person"]', "POST /api/v1/sessions/renewal {}"]);
    same(await page.aquaRenewal, "renewed");
});

Deno.test("the renewal holds the lock of the windows, and one that fails is none", async () => {
    /** @type {string[]} */
    const names = [];
    const locks = {
        request(/** @type {string} */ name, /** @type {() => Promise<unknown>} */ run) {
            names.push(name);
            return run();
        },
    };
    const { page } = begin({ "aqua-session": "1" }, { locks, answer: Promise.reject(new TypeError("offline")) });
    same(names, ["aqua-renewal"]);
    same(await page.aquaRenewal, null);
});

Deno.test("the shell names both screens before the script that looks for them", () => {
    const before = shell.slice(0, shell.indexOf('<script src="/app/first.js">'));
    for (const who of ["stranger", "person"]) {
        const path = before.match(new RegExp(`data-for="${who}"><link rel="modulepreload" href="([^"]+)"></template>`))?.[1];
        same(Deno.statSync(new URL(`.${path}`, web)).isFile, true);
    }
});
