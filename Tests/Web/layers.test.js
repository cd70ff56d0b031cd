/** Which folder of the app may name which: the way is down, never up, and no screen knows another. */

import { deepStrictEqual as same, ok } from "node:assert/strict";

const web = new URL("../../Services/Gateway/Web/", import.meta.url);

/** Each folder with those that its files may import from, beside its own. Types count as well. @type {Record<string, string[]>} */
const below = {
    lang: [],
    words: ["lang"],
    water: ["words", "lang"],
    kinds: ["water", "words", "lang"],
    drawing: ["water", "words", "lang"],
    page: ["drawing", "water", "words", "lang"],
    components: ["page", "drawing", "kinds", "water", "words", "lang"],
    app: ["components", "page", "drawing", "kinds", "water", "words", "lang"],
    screens: ["app", "components", "page", "drawing", "kinds", "water", "words", "lang"],
};

/** What every screen is given is declared in one place, without code; parts of screens name it too. */
const declared = "app/context.js";
/** The one place that knows the screens, and the one that asks it. */
const [list, asker] = ["screens/index.js", "app/routes.js"];

/** @typedef {{from: string, to: string, isType: boolean, isLater: boolean}} Arrow */

/**
 * @param {string} file
 * @param {string} code
 * @returns {Arrow[]}
 */
function arrowsOf(file, code) {
    const comments = [...code.matchAll(/\/\*\*[\s\S]*?\*\//g)].map((match) => [match.index, match.index + match[0].length]);
    return [...code.matchAll(/(import\()?"(\.\.?\/[^"\n]+\.js)"/g)].map((match) => {
        const to = new URL(match[2], new URL(file, web)).pathname.slice(web.pathname.length);
        const isType = comments.some(([start, end]) => match.index >= start && match.index < end);
        return { from: file, to, isType, isLater: match[1] !== undefined };
    });
}

/** @param {string} folder @returns {Promise<Arrow[]>} */
async function arrowsBelow(folder) {
    const arrows = [];
    for await (const entry of Deno.readDir(new URL(folder, web))) {
        const path = folder + entry.name;
        if (entry.isDirectory) arrows.push(...await arrowsBelow(`${path}/`));
        else if (path.endsWith(".js") && path.includes("/")) arrows.push(...arrowsOf(path, await Deno.readTextFile(new URL(path, web))));
    }
    return arrows;
}

/**
 * Whether an import is one that must not be.
 * @param {Arrow} arrow
 */
function isUp({ from, to, isType }) {
    const [one, own] = from.split("/");
    const [other, its] = to.split("/");
    if (isType && to === declared) return false;
    if (from === list) return !to.endsWith("route.js");
    if (to === list) return from !== asker;
    if (one === "screens" && other === "screens") return own !== its;
    return one !== other && !below[one]?.includes(other);
}

const arrows = await arrowsBelow("");

Deno.test("every folder names only those below it, and no screen another", () => {
    ok(arrows.length > 500, `${arrows.length}`);
    same(arrows.filter(isUp).map(({ from, to }) => `${from} -> ${to}`), []);
    same([...new Set(arrows.map(({ from }) => from.split("/")[0]))].sort(), Object.keys(below).sort());
});

Deno.test("no module waits for one that waits for it", () => {
    /** @type {Map<string, string[]>} */
    const wanted = new Map();
    for (const { from, to, isType, isLater } of arrows) {
        if (!isType && !isLater) wanted.set(from, [...wanted.get(from) ?? [], to]);
    }
    /** @type {string[]} */
    const rings = [];
    const done = new Set();
    /** @param {string} file @param {string[]} way */
    const walk = (file, way) => {
        if (way.includes(file)) return void rings.push([...way.slice(way.indexOf(file)), file].join(" -> "));
        if (done.has(file)) return;
        for (const next of wanted.get(file) ?? []) walk(next, [...way, file]);
        done.add(file);
    };
    for (const file of wanted.keys()) walk(file, []);
    same(rings, []);
});

Deno.test("an arrow up is seen, in code and in types", () => {
    /** @param {string} file @param {string} code */
    const seen = (file, code) => arrowsOf(file, code).map(isUp);
    same(seen("water/a.js", 'import { h } from "../page/dom.js";'), [true]);
    same(seen("water/a.js", '/** @type {import("../components/a/a.js").A} */'), [true]);
    same(seen("components/a/a.js", '/** @type {import("../../app/context.js").Context} */'), [false]);
    same(seen("components/a/a.js", 'import { Context } from "../../app/context.js";'), [true]);
    same(seen("screens/a/a.js", 'import { b } from "../b/b.js";\nconst c = () => import("../b/c.js");\nimport { d } from "./d.js";'), [true, true, false]);
    same(seen("app/main.js", 'const a = import("../screens/a/a.js");'), [true]);
    same(seen("app/main.js", 'import * as screens from "../screens/index.js";'), [true]);
    same(seen("app/routes.js", 'import * as screens from "../screens/index.js";'), [false]);
    same(seen("screens/index.js", 'export { default as a } from "./a/route.js";\nexport { b } from "./b/b.js";'), [false, true]);
});
