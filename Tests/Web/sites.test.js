/** Places without a device: what is known of them, and what stands at them. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import { headlineOf, isSilent, standingOf, stateOf } from "../../Services/Gateway/Web/water/headline.js";
import { standingIn, testShown } from "../../Services/Gateway/Web/water/overview.js";
import { candidatesOf } from "../../Services/Gateway/Web/water/second.js";
import { sitesFor, standingAt, stretchesOf } from "../../Services/Gateway/Web/water/sites.js";
import { tankOf } from "../../Services/Gateway/Web/water/tanks.js";
import { testedText } from "../../Services/Gateway/Web/water/tested.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { en } from "./languages.js";

const now = Date.parse("2026-11-26T14:20:00Z");
const live = /** @type {const} */ ({ state: "live", seenAt: now });
const scale = { unit: "pH", decimals: 1, factor: 1, offset: 0, table: null };
/** @param {string} name @param {any} [more] @returns {any} */
const parameter = (name, more = {}) => ({
    name,
    unit: "pH",
    units: ["pH"],
    minimum: 6.5,
    maximum: 8,
    least: 0,
    greatest: 14,
    decimals: 1,
    scale,
    colour: "red",
    position: 0,
    version: 1,
    hasMinimum: true,
    ...more,
});
/** @param {any} [more] @returns {any} */
const site = (more = {}) => ({
    id: "site-1",
    kind: "site",
    name: "Weir",
    role: "owner",
    latitude: null,
    longitude: null,
    since: "2026-01-01T00:00:00Z",
    online: null,
    silentSince: null,
    lastReadingAt: null,
    lastTest: { at: "2026-11-23T14:20:00Z", values: [{ parameter: "gh", canonicalValue: 7 }, { parameter: "ph", canonicalValue: 8.4 }] },
    ...more,
});
const parameters = [parameter("kh"), parameter("gh"), parameter("ph")];

Deno.test("a place is known by its newest test, and is never silent", () => {
    const tank = tankOf(site(), parameters, undefined);
    same(tank.site, { testedAt: now - 3 * 86_400_000, values: [{ name: "gh", value: 7 }, { name: "ph", value: 8.4 }] });
    equal(isSilent(tank, now), false);
    equal(headlineOf(tank, live, now).kind, "byHand");
    equal(headlineOf(tank, live, now).at, now - 3 * 86_400_000);
    equal(standingOf(tank, now).state, "byHand");
    same([standingIn(tank, now).mood, standingIn(tank, now).needs], ["byHand", false]);
});

Deno.test("the number beside its name is what is out of the limits, or that of the chosen parameter", () => {
    const tank = tankOf(site(), parameters, undefined);
    same([testShown(tank, null)?.name, testShown(tank, null)?.handSide], ["ph", "high"]);
    same([testShown(tank, "gh")?.value, testShown(tank, "gh")?.handSide], [7, null]);
    equal(testShown(tank, "kh"), null);
    equal(testShown(tankOf(site({ lastTest: null }), parameters, undefined), null), null);
});

Deno.test("values that were imported for a place are old, and no silence", () => {
    const latest = new Map([["ph", { value: 7, time: "2026-11-20T14:20:00Z", side: null, since: null }]]);
    const tank = tankOf(site(), parameters, latest);
    const gauge = tank.gauges[2];
    same(stateOf(gauge, tank, now), { state: "fine", isOld: true });
    equal(headlineOf(tank, live, now).kind, "byHand");
    const device = tankOf(site({ kind: "device" }), parameters, latest);
    equal(headlineOf(device, live, now).kind, "silentDevice", "a device that says so little is silent");
});

Deno.test("a place with values of now is as fine as any", () => {
    const latest = new Map([["ph", { value: 7, time: new Date(now - 60_000).toISOString(), side: null, since: null }]]);
    equal(headlineOf(tankOf(site(), parameters, latest), live, now).kind, "fine");
});

Deno.test("its age is told, also that it was never tested", () => {
    const t = wordsOf("en", en);
    /** @type {any} */
    const voice = { t, format: createFormat("en", "UTC", t) };
    equal(testedText(voice, now - 3 * 86_400_000, now), "Tested 3 d ago");
    equal(testedText(voice, null, now), "Not tested yet");
});

Deno.test("a device stands at places of its owner alone, and is compared with devices alone", () => {
    const pond = site({ id: "pond", kind: "device" });
    const deep = site({ id: "deep", kind: "device", site: { id: "site-1", name: "Weir", since: "2026-01-01T00:00:00Z" } });
    const all = [pond, deep, site(), site({ id: "site-2", role: "watcher" }), site({ id: "site-3", project: { id: "7", name: "Farm", role: "owner" } })];
    same(sitesFor(all, pond).map(({ id }) => id), ["site-1"]);
    same(candidatesOf(all, pond).map(({ id }) => id), ["deep"]);
    same(standingAt(all, "site-1").map(({ id }) => id), ["deep"]);
});

Deno.test("each position holds until the next", () => {
    const place = (/** @type {string} */ since) => ({ since, latitude: 1, longitude: 2, accuracy: null, source: null });
    same(stretchesOf([place("c"), place("b"), place("a")]).map(({ since, until }) => [since, until]), [["c", null], ["b", "c"], ["a", "b"]]);
    same(stretchesOf([]), []);
});
