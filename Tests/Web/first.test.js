/** What is shown and asked for before the first paint, to whom, and that it is what the app is going to take up. */

import { deepStrictEqual as same } from "node:assert/strict";
import { createRefresh } from "../../Services/Gateway/Web/app/refresh.js";
import { chosenLanguage, isLanguage } from "../../Services/Gateway/Web/lang/index.js";

const web = new URL("../../Services/Gateway/Web/", import.meta.url);
const first = await Deno.readTextFile(new URL("app/first.js", web));
const shell = await Deno.readTextFile(new URL("index.html", web));

/** @typedef {import("../../Services/Gateway/Web/app/begun.js").First} First */
/** @typedef {{method?: string, body?: string, headers: Record<string, string>}} Init */

/**
 * Runs the script in a page.
 * @param {Record<string, string>} kept What this device remembers.
 * @param {object} [surroundings]
 * @param {string[]} [surroundings.languages]
 * @param {unknown} [surroundings.locks]
 * @param {string} [surroundings.path]
 * @param {(path: string, init: Init) => Promise<unknown>} [surroundings.answer]
 */
function begin(kept, { languages = ["en"], locks, path = "/", answer = () => Promise.reject(new TypeError("offline")) } = {}) {
    /** @type {unknown[]} */
    const announced = [];
    /** @type {string[]} */
    const asked = [];
    /** @type {(() => void)[]} */
    const whenRead = [];
    const page = {};
    /** @type {Record<string, {dataset: Record<string, string>, append: (part: unknown) => void, parts: unknown[], content: unknown}>} */
    const elements = {};
    for (const id of ["main", "shell", "introduction"]) {
        /** @type {unknown[]} */
        const parts = [];
        const content = { cloneNode: () => ({ querySelectorAll: (/** @type {string} */ others) => (parts.push(others), []) }) };
        elements[id] = { dataset: {}, parts, append: (part) => parts.push(part), content };
    }
    const document = {
        documentElement: { dataset: { languages: "en ja es de" }, lang: "" },
        createElement: () => ({}),
        getElementById: (/** @type {string} */ id) => elements[id],
        querySelector: (/** @type {string} */ selector) => ({ content: selector }),
        head: { append: (/** @type {unknown[]} */ ...links) => announced.push(...links) },
        addEventListener(/** @type {string} */ name, /** @type {(event?: unknown) => void} */ run) {
            if (name === "readystatechange") whenRead.push(run);
            else if (name === "error") lose = (element) => run({ target: { localName: element } });
        },
    };
    /** @type {(element: string) => void} */
    let lose = () => {};
    const loads = { count: 0 };
    const localStorage = { getItem: (/** @type {string} */ key) => kept[key] ?? null };
    const fetch = (/** @type {string} */ path, /** @type {Init} */ init) => {
        asked.push([init.method ?? "GET", path, init.body ?? init.headers.Authorization].join(" "));
        return answer(path, init);
    };
    const run = new Function("document", "localStorage", "navigator", "fetch", "location", "globalThis", first);
    run(document, localStorage, { languages, locks }, fetch, { pathname: path, reload: () => loads.count += 1 }, page);
    return { announced, asked, lose, loads, whenRead, elements, root: document.documentElement, ...(/** @type {{aquaFirst: First}} */ (page)) };
}

/** @param {unknown} body */
const json = (body) => Promise.resolve(new Response(JSON.stringify(body)));

for (const [kept, languages] of /** @type {[string | null, string[]][]} */ ([
    [null, ["fr-FR", "es-MX", "en"]], [null, ["JA-jp"]], [null, ["fr"]], ["es", ["ja"]], ["toString", ["ja"]], ["en", []],
])) {
    Deno.test(`the sentences are asked for: ${kept ?? "none"} kept, ${languages.join(" ")}`, () => {
        const { announced, root } = begin(kept ? { "aqua-language": kept } : {}, { languages });
        const language = kept && isLanguage(kept) ? kept : chosenLanguage(languages);
        same(announced[0], { rel: "modulepreload", href: `/lang/${language}.js` });
        same(root.lang, language);
    });
}

Deno.test("a stranger's screens are asked for, and nothing of the service", () => {
    const { announced, asked, aquaFirst } = begin({});
    same(announced.slice(1), ['[data-for="stranger"]']);
    same([asked, Object.keys(aquaFirst)], [[], ["introduction", "again", "started"]]);
});

for (const [kept, path, isShown] of /** @type {[Record<string, string>, string, boolean][]} */ ([
    [{}, "/", true], [{}, "/introduction", true], [{}, "/sign-up", false], [{}, "/join", false],
    [{ "aqua-known": "1" }, "/", false], [{ "aqua-known": "1", "aqua-session": "1" }, "/", false],
])) {
    Deno.test(`the introduction ${isShown ? "is" : "is not"} shown before modules run: ${Object.keys(kept)} at ${path}`, () => {
        const { whenRead, elements: { main, shell, introduction } } = begin(kept, { path, languages: ["ja"] });
        same(whenRead.length, Number(isShown));
        if (!isShown) return;
        same(main.parts, []);
        whenRead[0]();
        same([main.parts.length, main.dataset.screen, shell.dataset.tabs], [1, "/introduction", "none"]);
        same(introduction.parts, ['[lang]:not([lang="ja"])']);
    });
}

Deno.test("what is known of a person's water is asked for in the session's renewal's wake, before any module runs", async () => {
    /** @type {(path: string) => Promise<Response>} */
    const answer = (path) => {
        if (path.endsWith("/renewal")) return json({ accessToken: "t" });
        return json({ path });
    };
    const { announced, asked, aquaFirst } = begin({ "aqua-session": "1", "aqua-client": "c" }, { answer });
    same(announced.slice(1), ['[data-for="person"]']);
    same(asked, ['POST /api/v1/sessions/renewal {"clientId":"c"}']);
    const { renewal, answers } = aquaFirst;
    await Promise.all(answers?.values() ?? []);
    same(asked.slice(1), [...answers?.keys() ?? []].map((path) => `GET /api/v1${path} Bearer t`));
    // What was read here is there for the modules.
    same(await (await renewal)?.json(), { accessToken: "t" });
    same(await (await answers?.get("/account"))?.json(), { path: "/api/v1/account" });
});

for (const [what, answer] of /** @type {[string, () => Promise<unknown>][]} */ ([
    ["is refused", () => Promise.resolve(new Response("{}", { status: 401 }))],
    ["fails", () => Promise.reject(new TypeError("offline"))],
    ["is no JSON", () => Promise.resolve(new Response("<html>"))],
])) {
    Deno.test(`nothing more is asked where the renewal ${what}`, async () => {
        const { asked, aquaFirst } = begin({ "aqua-session": "1" }, { answer });
        same(await aquaFirst.answers?.get("/account"), null);
        same(await aquaFirst.answers?.get("/devices?limit=200"), null);
        same(asked.length, 1);
        same((await aquaFirst.renewal)?.status, what === "is refused" ? 401 : what === "fails" ? undefined : 200);
    });
}

Deno.test("the renewal holds the lock of the windows, and one that fails is none", async () => {
    /** @type {string[]} */
    const names = [];
    const locks = {
        request(/** @type {string} */ name, /** @type {() => Promise<unknown>} */ run) {
            names.push(name);
            return run();
        },
    };
    const { aquaFirst } = begin({ "aqua-session": "1" }, { locks });
    same(names, ["aqua-renewal"]);
    same(await aquaFirst.renewal, null);
});

Deno.test("what is asked for early is what the app asks for when it begins", async () => {
    const { aquaFirst } = begin({ "aqua-session": "1" });
    /** @type {string[]} */
    const asked = [];
    /** @param {string} path @param {{query?: Record<string, number>}} [asked] */
    const note = (path, { query } = {}) => {
        asked.push(path + (query ? `?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}` : ""));
        return Promise.reject(new Error("nothing more is asked"));
    };
    /** @type {any} */
    const parts = { api: { get: note, all: note }, known: { settled: () => Promise.resolve(), generation: 0, devices: { value: undefined } } };
    await createRefresh(parts).refresh().catch(() => {});
    same(asked.sort(), [...aquaFirst.answers?.keys() ?? []].sort());
});

Deno.test("the shell names both screens before the script that looks for them", () => {
    const before = shell.slice(0, shell.indexOf('<script src="/app/first.js">'));
    for (const who of ["stranger", "person"]) {
        const path = before.match(new RegExp(`data-for="${who}"><link rel="modulepreload" href="([^"]+)"></template>`))?.[1];
        same(Deno.statSync(new URL(`.${path}`, web)).isFile, true);
    }
});

Deno.test("a script that did not arrive is asked for again, with everything, soon and then ever later", () => {
    /** @type {number[]} */
    const pauses = [];
    const { setTimeout } = globalThis;
    Object.assign(globalThis, { setTimeout: (/** @type {() => void} */ act, /** @type {number} */ pause) => (pauses.push(pause), act()) });
    sessionStorage.removeItem("aqua-again");
    try {
        for (let time = 0; time < 9; time += 1) {
            const { lose, loads } = begin({});
            lose("img");
            same(loads.count, 0);
            lose("script");
            lose("script");
            same(loads.count, 1);
        }
        begin({}).aquaFirst.started();
    } finally {
        Object.assign(globalThis, { setTimeout });
    }
    same(sessionStorage.getItem("aqua-again"), null);
    same(pauses, [1, 2, 4, 8, 16, 32, 64, 64, 64].map((seconds) => seconds * 1_000));
});
