import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { headlineOf } from "../../Services/Gateway/Web/water/headline.js";
import { reachOf, warningOf } from "../../Services/Gateway/Web/water/reach.js";

/** @typedef {import("../../Services/Gateway/Web/water/headline.js").Tank} Tank */

const now = 1_700_000_000_000;
const silent = { notice: null, isGrave: false, asks: false };

/** @param {'active' | 'failing' | 'paused' | 'gone'} state */
const way = (state) => ({ state, lastAcceptedAt: null, lastStatus: null });

/** @param {Partial<import("../../Services/Gateway/Web/water/headline.js").Gauge>} [oxygen] @returns {Tank} */
function tank(oxygen) {
    const range = { minimum: 7, maximum: 9, least: 0, greatest: 20, decimals: 1 };
    const gauge = { name: "dissolved_oxygen", unit: "ppm", colour: "red", range, value: 8, time: now, side: null, since: null, ...oxygen };
    return { id: "a", name: "A", online: true, silentSince: null, gauges: [gauge] };
}

/** @param {Tank | null | undefined} water @param {'live' | 'offline' | 'noAnswer'} [state] */
function headline(water, state = "live") {
    return headlineOf(water, { state, seenAt: now }, now);
}

Deno.test("one endpoint that works is enough; none, none that works, and one that is broken are three things", () => {
    equal(reachOf([]), "none");
    equal(reachOf([way("paused"), way("active")]), "some");
    for (const state of /** @type {const} */ (["failing", "gone"])) equal(reachOf([way(state), way("active")]), "partly");
    for (const state of /** @type {const} */ (["failing", "paused", "gone"])) equal(reachOf([way(state), way("failing")]), "failed");
    const mute = { ...way("active"), unconfirmedSince: "2026-11-29T14:02:00Z" };
    same([reachOf([mute]), reachOf([mute, way("active")])], ["failed", "partly"]);
    const urgent = /** @type {const} */ ({ ...way("active"), reaches: "urgent" });
    same([reachOf([way("gone"), urgent]), reachOf([way("gone"), urgent, way("active")])], ["urgent", "partly"]);
});

Deno.test("until one endpoint works a notice stands on every headline that tells of water, and nothing is asked above water or an alarm", () => {
    const fine = headline(tank());
    const waiting = headline(tank({ value: null, time: null }));
    const alarm = headline(tank({ value: 3, side: "low", since: now }));
    same([fine.kind, waiting.kind, alarm.isAlarm], ["fine", "waiting", true]);
    same(warningOf("none", waiting), { notice: "none", isGrave: true, asks: true });
    for (const told of [fine, alarm]) same(warningOf("none", told), { notice: "none", isGrave: true, asks: false });
    for (const told of [fine, waiting, alarm]) same(warningOf("failed", told), { notice: "failed", isGrave: true, asks: false });
});

Deno.test("a broken way beside one that works is told quietly, and not beside an alarm", () => {
    same(warningOf("partly", headline(tank())), { notice: "partly", isGrave: false, asks: false });
    same(warningOf("partly", headline(tank({ value: 3, side: "low", since: now }))), silent);
});

Deno.test("where nothing but what is critical reaches the person that is told first", () => {
    for (const told of [headline(tank()), headline(tank({ value: 3, side: "low", since: now }))]) {
        same(warningOf("urgent", told), { notice: "urgent", isGrave: true, asks: false });
    }
});

Deno.test("nothing is told of it while it is not known, where it is well, without a device and without a connection", () => {
    for (const reach of /** @type {const} */ ([null, "some"])) same(warningOf(reach, headline(tank())), silent);
    for (const told of [headline(null), headline(undefined), headline(tank(), "offline"), headline(tank(), "noAnswer")]) {
        same(warningOf("none", told), silent);
    }
});
