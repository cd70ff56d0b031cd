/** Every name that a module exports is taken by another one; what only a test takes is used in its own module as well. */

import { deepStrictEqual as same, ok } from "node:assert/strict";

const web = new URL("../../Services/Gateway/Web/", import.meta.url);

/** @param {URL} folder @returns {Promise<Map<string, string>>} The code of all scripts below, without comments. */
async function codeBelow(folder) {
    const found = new Map();
    for await (const entry of Deno.readDir(folder)) {
        const url = new URL(entry.name, folder);
        if (entry.isDirectory) for (const [path, code] of await codeBelow(new URL(`${entry.name}/`, folder))) found.set(path, code);
        else if (entry.name.endsWith(".js")) found.set(url.pathname, (await Deno.readTextFile(url)).replace(/\/\*[\s\S]*?\*\//g, ""));
    }
    return found;
}

/**
 * The names that each file takes from others.
 * @param {ReadonlyMap<string, string>} files
 * @returns {Set<string>} A path and a name each.
 */
function takenBy(files) {
    const taken = new Set();
    for (const [path, code] of files) {
        const target = (/** @type {string} */ name) => new URL(name, `file://${path}`).pathname;
        for (const [, names, from] of code.matchAll(/^(?:import|export) \{([^}]+)\} from "([^"]+)"/gm)) {
            for (const name of names.split(",")) taken.add(`${target(from)} ${name.trim().split(" ")[0]}`);
        }
        for (const [, own, from] of code.matchAll(/^import \* as (\w+) from "([^"]+)"/gm)) {
            for (const [, name] of code.matchAll(new RegExp(`\\b${own}\\.(\\w+)`, "g"))) taken.add(`${target(from)} ${name}`);
            // As a whole.
            if (new RegExp(`\\b${own}\\b(?![.\\w])`, "g").test(code.replace(/^import .*$/gm, ""))) taken.add(`${target(from)} *`);
        }
        for (const [, from] of code.matchAll(/import\("([^"]+)"\)/g)) {
            // Whoever imports it when needed names what it takes nearby.
            for (const [, name] of code.matchAll(/(?:\.|[{,] )(\w+)/g)) taken.add(`${target(from)} ${name}`);
            taken.add(`${target(from)} mount`);
        }
    }
    return taken;
}

/** @param {ReadonlyMap<string, string>} app @param {ReadonlyMap<string, string>} tests */
function unused(app, tests) {
    const [own, others] = [takenBy(app), takenBy(tests)];
    return [...app].flatMap(([path, code]) =>
        [...code.matchAll(/^export (?:async )?(?:function|class|const) (\w+)/gm)].map(([, name]) => name).filter((name) => {
            if (own.has(`${path} ${name}`) || own.has(`${path} *`)) return false;
            return !others.has(`${path} ${name}`) && !others.has(`${path} *`) || [...code.matchAll(new RegExp(`\\b${name}\\b`, "g"))].length < 2;
        }).map((name) => `${path.replace(web.pathname, "")} ${name}`)
    );
}

Deno.test("no export is left over", async () => {
    const app = await codeBelow(web);
    ok(app.size > 150, `${app.size}`);
    same(unused(app, await codeBelow(new URL("./", import.meta.url))), []);
});

Deno.test("an export that nobody takes is seen", () => {
    const app = new Map(Object.entries({
        "/a.js": 'import { b } from "./b.js";\nimport * as c from "./c.js";\nb(c.d);\nconst e = () => import("./e.js");\nexport const f = 1;\n',
        "/b.js": "export function b() {}\nexport class B {}\nexport const g = 1;\n",
        "/c.js": "export const d = 1;\nexport const h = 1;\nd(h);\n",
        "/e.js": "export function mount() {}\n",
    }));
    const tests = new Map([["/t.js", 'import { B, g } from "./b.js";\nimport { h } from "./c.js";\n']]);
    same(unused(app, tests), ["/a.js f", "/b.js B", "/b.js g"]);
});
