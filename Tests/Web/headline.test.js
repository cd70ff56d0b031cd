import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { findingsOf, headlineOf, isCritical, isCutOff, isOutside, isPast, isShown, isSilent, isSnoozed, standingOf, stateOf } from "../../Services/Gateway/Web/water/headline.js";

/** @typedef {import("../../Services/Gateway/Web/water/headline.js").Gauge} Gauge */
/** @typedef {import("../../Services/Gateway/Web/water/headline.js").Tank} Tank */

const now = 1_000_000_000;
const minute = 60_000;
const live = { state: /** @type {const} */ ("live"), seenAt: now };

/**
 * @param {string} name
 * @param {Partial<Gauge>} [more]
 * @returns {Gauge}
 */
function gauge(name, more = {}) {
    return {
        name,
        unit: "ppm",
        colour: "red",
        range: { minimum: 7, maximum: 9, least: 0, greatest: 20, decimals: 1 },
        value: 8,
        time: now - 8000,
        side: null,
        since: null,
        ...more,
    };
}

/**
 * @param {Gauge[]} gauges
 * @param {Partial<Tank>} [more]
 * @returns {Tank}
 */
function tank(gauges, more = {}) {
    return { id: "pond-1", name: "Koi pond", online: true, silentSince: null, gauges, ...more };
}

const low = gauge("oxygen", { value: 5.8, side: "low", since: now - 116 * minute });
const slightlyHigh = gauge("ph", { value: 9.1, side: "high", since: now - 500 * minute });
const fault = gauge("nitrate", { value: 21 });
const old = gauge("nitrite", { time: now - 180 * minute });

Deno.test("all fine counts what is measured", () => {
    const found = headlineOf(tank([gauge("a"), gauge("b"), gauge("c", { value: null, time: null })]), live, now);
    same([found.kind, found.isAlarm, found.fine, found.measured], ["fine", false, 2, 2]);
});

Deno.test("the order: no connection, water outside, probe fault, device silent, parameter silent, fine", () => {
    const all = tank([old, fault, slightlyHigh, low]);
    equal(headlineOf(all, { state: "offline", seenAt: now }, now).kind, "offline");
    equal(headlineOf(all, { state: "noAnswer", seenAt: now }, now).kind, "noAnswer");
    equal(headlineOf(all, live, now).kind, "outside");
    equal(headlineOf(tank([old, fault]), live, now).kind, "fault");
    equal(headlineOf(tank([old, gauge("b", { time: now - 6 * minute })], { online: false, silentSince: now }), live, now).kind, "silentDevice");
    equal(headlineOf(tank([old, gauge("b")]), live, now).kind, "silent");
    equal(headlineOf(tank([gauge("b")]), live, now).kind, "fine");
});

Deno.test("the worst is the largest departure as a share of the span, then the oldest", () => {
    equal(headlineOf(tank([slightlyHigh, low]), live, now).finding?.gauge, low);
    same(findingsOf(tank([slightlyHigh, low]), now).map((found) => found.gauge), [low, slightlyHigh]);
    const twin = { ...low, name: "twin", since: now - 200 * minute };
    equal(headlineOf(tank([low, twin]), live, now).finding?.gauge, twin);
});

Deno.test("only water outside is red", () => {
    equal(headlineOf(tank([low]), live, now).isAlarm, true);
    for (const other of [tank([fault]), tank([old, gauge("b")]), tank([gauge("a")], { online: false }), null, undefined]) {
        equal(headlineOf(other, live, now).isAlarm, false);
    }
    equal(headlineOf(tank([low]), { state: "offline", seenAt: now }, now).isAlarm, false);
});

Deno.test("without a connection it tells what was when the server was last heard", () => {
    const seenAt = now - 30 * minute;
    const then = headlineOf(tank([gauge("a", { time: seenAt - 8000 })]), { state: "offline", seenAt }, now);
    same([then.kind, then.was?.kind, then.at], ["offline", "fine", seenAt]);
    const alarm = headlineOf(tank([low]), { state: "noAnswer", seenAt }, now);
    equal(alarm.was?.kind, "outside");
    equal(headlineOf(undefined, { state: "offline", seenAt: null }, now).was, null);
});

Deno.test("what is old never counts as fine", () => {
    const found = headlineOf(tank([old, gauge("b")]), live, now);
    same([found.fine, found.measured], [1, 2]);
    equal(stateOf(old, tank([old, gauge("b")]), now).state, "silent");
    const unheard = gauge("a", { time: now - 6 * minute });
    equal(stateOf(unheard, tank([unheard], { online: false }), now).state, "silent");
});

Deno.test("what is old clears nothing: an open episode stays one", () => {
    const stale = { ...low, time: now - 60 * minute };
    same(stateOf(stale, tank([stale]), now), { state: "low", isOld: true });
    const found = headlineOf(tank([stale]), live, now);
    same([found.kind, found.finding?.isOld, found.others.map((other) => other.kind)], ["outside", true, ["silentDevice"]]);
});

Deno.test("a device is silent when it is not connected, or nothing of it is recent", () => {
    equal(isSilent(tank([gauge("a")]), now), false);
    equal(isSilent(tank([gauge("a", { time: now - 6 * minute })], { online: false }), now), true);
    equal(isSilent(tank([], { online: false, silentSince: now - 6 * minute }), now), true);
    equal(isSilent(tank([old, gauge("x", { value: null, time: null })], { online: null }), now), true);
    equal(isSilent(tank([gauge("x", { value: null, time: null })], { online: null }), now), false);
});

Deno.test("a value at exactly the age of silence is not silent yet", () => {
    const edge = gauge("a", { time: now - 15 * minute });
    equal(stateOf(edge, tank([edge]), now).state, "fine");
    const older = gauge("a", { time: now - 15 * minute - 1 });
    equal(stateOf(older, tank([older, gauge("b")]), now).state, "silent");
});

Deno.test("no value is no fault and no alarm: null is not 0", () => {
    const empty = gauge("a", { value: null, time: null });
    equal(stateOf(empty, tank([empty]), now).state, "waiting");
    equal(headlineOf(tank([empty]), live, now).kind, "waiting");
});

Deno.test("no device, and not known yet", () => {
    equal(headlineOf(null, live, now).kind, "empty");
    equal(headlineOf(undefined, live, now).kind, "loading");
    equal(headlineOf(undefined, { state: "connecting", seenAt: null }, now).kind, "loading");
});

Deno.test("a recovery is told until it was seen, but never above trouble", () => {
    equal(headlineOf(tank([gauge("a"), gauge("b")]), live, now, { name: "a", isByLimits: false }).kind, "recovered");
    equal(headlineOf(tank([gauge("a"), low]), live, now, { name: "a", isByLimits: false }).kind, "outside");
});

Deno.test("a device in a list has the state of its worst", () => {
    equal(standingOf(tank([slightlyHigh, low]), now).state, "low");
    equal(standingOf(tank([fault]), now).state, "fault");
    equal(standingOf(tank([gauge("a", { time: now - 6 * minute })], { online: false }), now).state, "silent");
    equal(standingOf(tank([gauge("a")]), now).state, "fine");
    equal(standingOf(tank([]), now).state, "waiting");
});

Deno.test("what is snoozed is no alarm, and stands behind what is not; after its time it is one again", () => {
    const snoozed = { ...low, snoozed: { until: now + minute, isAcknowledged: false } };
    const found = headlineOf(tank([snoozed]), live, now);
    equal(found.kind, "outside");
    equal(found.isAlarm, false);
    equal(headlineOf(tank([snoozed]), live, now + minute).isAlarm, true);
    // The worse one is snoozed, so the other is the headline, and the air is red.
    const both = headlineOf(tank([snoozed, slightlyHigh]), live, now);
    equal(both.finding?.gauge, slightlyHigh);
    equal(both.isAlarm, true);
    equal(both.others[0].gauge, snoozed);
    // A snoozed thing is still worse than a probe's fault.
    equal(headlineOf(tank([snoozed, fault]), live, now).finding?.gauge, snoozed);
});

Deno.test("water beyond a critical limit is an alarm, snoozed or not; equal to it is not beyond", () => {
    const critical = { minimum: 5, maximum: null };
    const snoozed = { until: now + minute, isAcknowledged: true };
    for (const [value, isBeyond] of [[4.9, true], [5, false], [5.8, false]]) {
        const one = { ...low, value: Number(value), critical, snoozed };
        equal(isCritical(one), isBeyond);
        equal(isSnoozed(one, now), !isBeyond);
        equal(headlineOf(tank([one]), live, now).isAlarm, isBeyond);
    }
    equal(isCritical({ ...low, critical: { minimum: null, maximum: null } }), false);
    equal(isCritical(low), false);
});

Deno.test("a parameter has a place once it was measured, or while it has a limit", () => {
    const none = { minimum: null, maximum: null, least: 0, greatest: 20, decimals: 1 };
    const unsent = { value: null, time: null };
    equal(isShown(gauge("orp", { ...unsent, range: none })), false);
    equal(isShown(gauge("orp", { range: none })), true);
    equal(isShown(gauge("orp", { ...unsent, range: { ...none, minimum: 7 } })), true);
    equal(isShown(gauge("orp", { ...unsent, range: { ...none, maximum: 9 } })), true);
});

Deno.test("what is computed is not missed beside what it is computed from", () => {
    const stale = now - 180 * minute;
    const computed = gauge("carbon_dioxide", { time: stale, computedFrom: ["alkalinity", "ph"] });
    const inputs = [gauge("alkalinity"), gauge("ph")];
    same(findingsOf(tank([computed, ...inputs]), now), []);
    const probe = findingsOf(tank([computed, inputs[0]]), now);
    same(probe.map((finding) => [finding.kind, finding.gauge?.name]), [["silent", "carbon_dioxide"]]);
    const mute = findingsOf(tank([computed, inputs[0], gauge("ph", { time: stale })]), now);
    same(mute.map((finding) => finding.gauge?.name), ["ph"]);
});

Deno.test("a connection that has just ended is no silence: the device was heard a moment ago", () => {
    const ended = tank([gauge("a", { time: now - 13_000 })], { online: false, silentSince: now - 2_000 });
    equal(isSilent(ended, now), false);
    equal(headlineOf(ended, live, now).kind, "fine");
    equal(headlineOf(ended, live, now + 6 * minute).kind, "silentDevice");
});

Deno.test("a value within limits that were moved is not outside them, whatever episode is open", () => {
    const moved = gauge("ph", { value: 9.2, side: "high", since: now - 30 * minute, range: { minimum: 7, maximum: 9.5, least: 0, greatest: 20, decimals: 1 } });
    equal(isOutside(moved), false);
    same(stateOf(moved, tank([moved]), now), { state: "fine", isOld: false });
    same([headlineOf(tank([moved]), live, now).kind, standingOf(tank([moved]), now).state], ["fine", "fine"]);
    equal(isOutside({ ...moved, value: 9.6 }), true);
    const back = headlineOf(tank([gauge("ph")]), live, now, { name: "ph", isByLimits: true });
    same([back.kind, back.isByLimits], ["recovered", true]);
});

Deno.test("while the service does not keep up, what was is told as what was", () => {
    const lateSince = now - 4 * minute;
    const connection = { ...live, lateSince };
    equal(isCutOff(connection), true);
    const fine = headlineOf(tank([gauge("a", { time: lateSince - 8000 })]), connection, now);
    same([fine.kind, fine.isAlarm, fine.at, fine.was?.kind], ["late", false, lateSince, "fine"]);
    same([isPast(fine), isPast(headlineOf(tank([low]), live, now))], [true, false]);
    const alarm = headlineOf(tank([low]), connection, now);
    same([alarm.kind, alarm.was?.kind], ["late", "outside"]);
    equal(headlineOf(tank([low]), { ...live, lateSince: null }, now).kind, "outside");
    equal(headlineOf(tank([low]), { state: "offline", seenAt: now, lateSince }, now).kind, "offline");
});
