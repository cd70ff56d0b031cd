/** Every kind of alert is a file of its own, and one that only a newer service knows is told in the service's words. */

import { deepStrictEqual as same, ok } from "node:assert/strict";
import { isOpen, kindOf, kinds, openOf, subjectOf } from "../../Services/Gateway/Web/kinds/index.js";
import { wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import { episodesOf } from "../../Services/Gateway/Web/water/alerts.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { alarmOf } from "./store.js";
import { en } from "./languages.js";

const web = new URL("../../Services/Gateway/Web/", import.meta.url);
const t = wordsOf("en", en);
const voice = { t, format: createFormat("en", "UTC", t) };
const began = "2026-05-01T12:00:00Z";
const now = Date.parse(began) + 20 * 60_000;
const later = alarmOf("1", "pond", began, { kind: "turbidity", side: null, title: "The water is cloudy", text: "12 NTU since 12:00.", reasons: undefined });
const tanks = /** @type {any} */ ([{ id: "pond", gauges: [{ name: "ph", side: null, since: null, time: now, value: 7 }] }]);

Deno.test("the list names every file, by the name that the service has for it", async () => {
    /** @type {string[]} */
    const files = [];
    for await (const { name } of Deno.readDir(new URL("kinds/", web))) files.push(name.replace(".js", ""));
    same(files.filter((name) => !["called", "index", "unknown"].includes(name)).sort(), kinds.map(({ name }) => name).sort());
});

Deno.test("a kind is known from others in its own file alone", async () => {
    /** @type {string[]} */
    const seen = [];
    const walk = async (/** @type {URL} */ folder) => {
        for await (const entry of Deno.readDir(folder)) {
            const url = new URL(entry.name, folder);
            if (entry.isDirectory && !["kinds", "lang"].includes(entry.name)) await walk(new URL(`${entry.name}/`, folder));
            else if (entry.name.endsWith(".js")) {
                const code = (await Deno.readTextFile(url)).replace(/\/\*[\s\S]*?\*\//g, "");
                if (/kind [!=]== "(range|silence|fault|rate|ahead|test)"/.test(code.replace(/(headline|finding)\.kind [!=]== "\w+"/g, ""))) seen.push(entry.name);
            }
        }
    };
    await walk(web);
    same(seen, []);
});

Deno.test("a kind of a newer service is a row with the service's words, goes on for a while, and can be snoozed", () => {
    const [episode] = episodesOf([later]);
    const kind = kindOf(later);
    same(kinds.includes(kind), false);
    const { name, detail, facts } = kind.told(voice, episode, { now, isNow: true });
    same([name, detail, facts], ["The water is cloudy", "pond · 12 NTU since 12:00.", []]);
    same([kind.shape(later), kind.isOfRange ?? false, kind.isOfProbe ?? false], ["live", false, false]);
    same([isOpen(episode, tanks, now), isOpen(episode, tanks, now + 86_400_000), isOpen(episode, [], now)], [true, false, false]);
    same(subjectOf(later), { device: "pond", kind: "turbidity", parameter: "ph", side: null });
    const [open] = openOf([episode], tanks, [{ device: "pond", kind: "turbidity", parameter: "ph", side: null, until: new Date(now + 60_000).toISOString(), acknowledged: false }], now);
    ok(open.snoozed);
    const over = episodesOf([{ ...later, id: "2", purpose: "recovery" }, later])[0];
    same(isOpen(over, tanks, now), false);
});

Deno.test("what was kept without a kind is of range, and a test is a test by its purpose", () => {
    same(kindOf({}).name, "range");
    same(kindOf({ kind: "silence", purpose: "test" }).name, "test");
    same(subjectOf({ ...later, purpose: "test" }), null);
});

Deno.test("what a kind has no words for is told in the service's words", () => {
    const alert = alarmOf("1", "pond", began, { title: "Lithium is low", text: "0.1 ppm since 12:00." });
    /** @type {[string, any][]} */
    const untellable = [
        ["a purpose of a newer service", { purpose: "handover" }],
        ["a parameter of a newer service", { parameter: "lithium" }],
        ["no parameter", { parameter: null }],
        ["no side", { side: null }],
        ["a side of a newer service", { side: "beside" }],
        ...["rate", "ahead", "byHand", "fault"].map((kind) => /** @type {[string, any]} */ ([`no parameter of ${kind}`, { kind, parameter: null, side: null }])),
    ];
    for (const [what, more] of untellable) {
        const kind = kindOf({ ...alert, ...more }, t);
        same([kind.name, kind.isOfRange ?? false], ["", false], what);
        same(kind.told(voice, episodesOf([{ ...alert, ...more }])[0], { now, isNow: true }).name, "Lithium is low", what);
    }
    same(kindOf(alert, t).name, "range");
    for (const kind of ["rate", "ahead", "byHand", "fault", "silence"]) same(kindOf({ ...alert, kind, side: null }, t).name, kind);
    same(kindOf({ ...alert, kind: "silence", parameter: null, side: null }, t).name, "silence");
    same(kindOf({ ...alert, purpose: "test", parameter: null, side: null }, t).name, "test");
    // What ends it is known by its kind all the same.
    same(kindOf({ ...alert, parameter: "lithium" }).name, "range");
});
