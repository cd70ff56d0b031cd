/** Every class that an element is made with has a rule, or a test that looks for it. */

import { deepStrictEqual as same, ok } from "node:assert/strict";

const root = new URL("../../", import.meta.url);

/** @param {URL} folder @param {RegExp} names @returns {Promise<string>} All that stands in files with such names, below a folder. */
async function textBelow(folder, names) {
    let text = "";
    for await (const entry of Deno.readDir(folder)) {
        if (entry.isDirectory) text += await textBelow(new URL(`${entry.name}/`, folder), names);
        else if (names.test(entry.name)) text += await Deno.readTextFile(new URL(entry.name, folder));
    }
    return text;
}

Deno.test("no class is left over", async () => {
    const web = new URL("Services/Gateway/Web/", root);
    const made = await textBelow(web, /\.js$/);
    const used = await textBelow(web, /\.(css|html)$/) + await textBelow(new URL("Tests/Web/", root), /\.(js|py)$/) +
        await textBelow(new URL("Tests/Acceptance/", root), /\.swift$/);
    const names = new Set([...made.matchAll(/\bclass: "([^"]+)"/g)].flatMap((match) => match[1].split(" ")));
    const known = new Set(used.match(/[\w-]+/g));
    ok(names.size > 150, `${names.size}`);
    same([...names].filter((name) => !known.has(name)), []);
});
