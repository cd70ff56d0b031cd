/** What the app asks for as a project is what the service serves so, read from the service's own sources. */

import { deepStrictEqual as same, ok } from "node:assert/strict";
import { isForProject } from "../../Services/Gateway/Web/app/acting.js";

const library = new URL("../../Services/Gateway/Library/", import.meta.url);

/** What is served to projects and asked for by people alone: tokens and the export belong to an account's own screens, and samples to who took them. */
const byPeople = ["DELETE /tokens/7", "GET /account/export", "GET /tokens", "POST /tokens", "PUT /field-samples/7"];

/** @param {URL} folder @returns {Promise<string[]>} */
async function sourcesBelow(folder) {
    const texts = [];
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
        if (isDirectory) texts.push(...await sourcesBelow(new URL(`${name}/`, folder)));
        else if (name.endsWith(".swift")) texts.push(await Deno.readTextFile(new URL(name, folder)));
    }
    return texts;
}

/** Of a list in brackets or parentheses that ends at a place, where it begins. @param {string} code @param {number} end */
function beginOf(code, end) {
    let depth = 0;
    for (let place = end; place >= 0; place -= 1) {
        if (")]".includes(code[place])) depth += 1;
        if ("([".includes(code[place])) depth -= 1;
        if (depth === 0) return place;
    }
    return 0;
}

/** The lists of routes that a source serves to projects, as `Type` of all of them or `Type.name`. @param {string} code */
function servedIn(code) {
    return [...code.matchAll(/\s*\.forProjects\(\)/g)].flatMap(({ index }) => {
        const type = typeAt(code, index);
        const all = /(\w+)\.all$/.exec(code.slice(0, index));
        if (all) return [all[1]];
        if (!")]".includes(code[index - 1])) return [];
        // What stands in front of parentheses changes a route of the list.
        const list = code.slice(beginOf(code, index - 1), index);
        return [...list.matchAll(/(\w+)(?:\.(\w+)(?![\w(]))?/g)].map(([, name, own]) => own === "all" ? name : own ? `${name}.${own}` : `${type}.${name}`);
    });
}

/** @param {string} code @param {number} place */
const typeAt = (code, place) => [...code.slice(0, place).matchAll(/^(?:enum|extension|struct) (\w+)/gm)].at(-1)?.[1] ?? "";

/** @param {string} code */
function routesIn(code) {
    return [...code.matchAll(/let (\w+) = Route<Caller>\(\s*\.(\w+), (?:"([^"]+)"|(\w+))/g)].map(({ index, 1: name, 2: method, 3: written, 4: named }) => {
        const type = typeAt(code, index);
        const path = written ?? new RegExp(`let ${named}: RoutePath = "([^"]+)"`).exec(code)?.[1] ?? "";
        return { type, name: `${type}.${name}`, request: `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "7")}` };
    });
}

Deno.test("every route that serves projects is asked for so, and no other", async () => {
    const sources = await sourcesBelow(library);
    const served = new Set(sources.flatMap(servedIn));
    // Below /sta are routes of an open standard, which the app does not ask for.
    const routes = sources.flatMap(routesIn).filter(({ request }) => !request.includes(" /sta/"));
    ok(routes.length > 130 && routes.every(({ request }) => request.includes(" /")), `${routes.length}`);
    const wanted = routes.filter(({ type, name }) => served.has(type) || served.has(name)).map(({ request }) => request);
    const asked = routes.map(({ request }) => request).filter((request) => {
        const [method, path] = request.split(" ");
        return isForProject(method, path);
    });
    ok(byPeople.every((request) => wanted.includes(request)), "what is served to no project needs no exception");
    same(asked.sort(), wanted.filter((request) => !byPeople.includes(request)).sort());
});
