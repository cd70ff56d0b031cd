/** A second probe in the same water: how far two lie apart, and which devices may be compared. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import { apartOf, apartText } from "../../Services/Gateway/Web/water/apart.js";
import { candidatesOf, pairLines } from "../../Services/Gateway/Web/water/second.js";
import { isForProject } from "../../Services/Gateway/Web/app/acting.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { en } from "./languages.js";

const t = wordsOf("en", en);
/** @type {any} */
const voice = { t, format: createFormat("en", "UTC", t) };
const since = "2026-05-01T11:20:00Z";
const now = Date.parse("2026-05-01T13:00:00Z");
const celsius = { unit: "C", decimals: 1, factor: 1, offset: 0, table: null };
/** @param {Record<string, unknown>} more @returns {any} */
const parameter = (more = {}) => ({ name: "temperature", unit: "C", decimals: 1, scale: celsius, ...more });
/** @param {number} by @returns {any} */
const device = (by) => ({ differingProbes: [{ parameter: "temperature", since, by }] });

Deno.test("a difference has no offset, and is told in the unit that is a line of the canonical one", () => {
    const fahrenheit = parameter({ unit: "F", scale: { ...celsius, factor: 1.8, offset: 32 } });
    same(apartOf(device(-0.5), fahrenheit), { by: -0.9, unit: "F", decimals: 1, since: Date.parse(since) });
    const curve = parameter({ unit: "SG", decimals: 4, scale: { ...celsius, unit: "ppt", factor: null, offset: null, table: { first: 0, step: 1, values: [1] } } });
    same(apartOf(device(0.5), curve), { by: 0.5, unit: "ppt", decimals: 1, since: Date.parse(since) });
    equal(apartOf(device(0.5), parameter({ name: "ph" })), null);
    equal(apartOf({}, parameter()), null, "what was kept may lack it");
});

Deno.test("it is told with its side and its beginning", () => {
    const higher = apartOf(device(0.5), parameter());
    equal(higher && apartText(voice, "temperature", higher, now), "Temperature reads 0.5\u00a0°C higher than its second probe since 11:20");
    const lower = apartOf(device(-0.5), parameter());
    equal(lower && apartText(voice, "temperature", lower, now), "Temperature reads 0.5\u00a0°C lower than its second probe since 11:20");
});

Deno.test("a pair reads from either side", () => {
    const pair = {
        first: { id: "a", name: "Pond" },
        second: { id: "b", name: "Deep" },
        comparedAt: since,
        differences: [
            { parameter: "ph", unit: "pH", decimals: 1, by: 0.4, since: null },
            { parameter: "temperature", unit: "C", decimals: 1, by: -0.04, since: null },
            { parameter: "conductivity", unit: "uS", decimals: 0, by: null, since: null },
        ],
    };
    same(pairLines(voice, pair, "a"), ["pH: 0.4 higher here", "Temperature: the same", "Conductivity: too few readings in common yet"]);
    equal(pairLines(voice, pair, "b")[0], "pH: 0.4 lower here");
    same(pairLines(voice, { ...pair, comparedAt: null }, "a"), [t("second.wait")]);
    same(pairLines(voice, { ...pair, differences: [] }, "a"), [t("second.nothing")]);
});

Deno.test("the other devices of the same owner may be chosen", () => {
    const farm = { id: "7", name: "Farm", role: "owner" };
    /** @type {any[]} */
    const devices = [
        { id: "a", role: "owner", project: null },
        { id: "b", role: "owner" },
        { id: "c", role: "watcher", project: null },
        { id: "d", role: "owner", project: farm },
    ];
    same(candidatesOf(devices, devices[0]).map(({ id }) => id), ["b"]);
    same(candidatesOf(devices, devices[3]), []);
});

Deno.test("whoever acts for a project pairs its devices", () => {
    for (const method of ["GET", "PUT", "DELETE"]) equal(isForProject(method, "/devices/tank-1/second"), true, method);
});
