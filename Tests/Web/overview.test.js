/** All tanks at once: how each stands, how many need somebody, their order, the number beside each name. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { lineAmongMany, pastOf } from "../../Services/Gateway/Web/app/tank-lines.js";
import { countsOf, gaugeShown, groupsOf, isShownBy, kept, ordered, parametersOf, standingIn } from "../../Services/Gateway/Web/water/overview.js";

const now = Date.parse("2026-11-26T14:20:00Z");
const minute = 60_000;
const range = { minimum: 7, maximum: 9, least: 0, greatest: 20, decimals: 1 };

/** @param {string} id @param {any[]} gauges @param {any} [more] @returns {any} */
const tankOf = (id, gauges, more = {}) => ({
    id,
    name: id,
    online: true,
    silentSince: null,
    gauges: gauges.map((gauge) => ({ name: "ph", unit: "", colour: "", range, value: 8, time: now - minute, side: null, since: null, ...gauge })),
    ...more,
});
const low = { value: 6, side: "low", since: now - 14 * minute };
const answer = (/** @type {string} */ device) => ({ device, kind: "range", parameter: "ph", side: "low", name: "Ana", isYou: false, since: new Date(now - minute).toISOString(), until: new Date(now + 60 * minute).toISOString(), solvedAt: null });
const tanks = [
    tankOf("fine", [{}]),
    tankOf("answered", [low], { answers: [answer("answered")] }),
    tankOf("silent", [{ time: now - 180 * minute }]),
    tankOf("low", [{ value: 6.5, side: "low", since: now - minute }]),
    tankOf("worked", [{}], { work: { id: "1", kind: "cleaning", from: now - 12 * minute, until: now + 18 * minute, by: null } }),
    tankOf("lower", [{}, { ...low, name: "dissolved_oxygen" }]),
    tankOf("fault", [{ brokenSince: now - minute }]),
    tankOf("snoozed", [{ ...low, snoozed: { until: now + minute, isOver: false, acknowledged: false } }]),
    tankOf("waiting", [{ value: null, time: null }]),
];
const standings = new Map(tanks.map((tank) => [tank.id, standingIn(tank, now)]));

Deno.test("each tank stands in one word, and whoever is seen to needs nobody", () => {
    const told = [...standings].map(([id, { mood, needs, isOutside }]) => [id, mood, needs, isOutside]);
    same(told.filter(([id]) => id !== "snoozed"), [
        ["fine", "fine", false, false],
        ["answered", "answered", false, true],
        ["silent", "silent", true, false],
        ["low", "low", true, true],
        ["worked", "worked", false, false],
        ["lower", "low", true, true],
        ["fault", "fault", true, false],
        ["waiting", "waiting", false, false],
    ]);
});

Deno.test("water that was outside before the work goes on to need somebody", () => {
    const tank = tankOf("koi", [low], { work: { id: "1", kind: "cleaning", from: now - minute, until: now + minute, by: null } });
    same([standingIn(tank, now).mood, standingIn(tank, now).needs], ["low", true]);
});

Deno.test("filters count what they show, and those that show nothing are left out", () => {
    const all = [...standings.values()];
    const counts = countsOf(all);
    for (const { filter, count } of counts) equal(count, all.filter((one) => isShownBy(one, filter)).length, filter);
    same(countsOf([standingIn(tanks[0], now)]), [{ filter: "all", count: 1 }]);
    same(countsOf([]), [{ filter: "all", count: 0 }]);
});

Deno.test("trouble first: outside by its departure, answered, silent, faults, work; the others as they were", () => {
    const order = ordered(tanks, "trouble", standings);
    same(order.slice(0, 6), ["lower", "low", "answered", "silent", "fault", "worked"]);
    equal(order.indexOf("fine") < order.indexOf("waiting"), true);
});

Deno.test("names are sorted as people count, and one's own order is left alone", () => {
    const numbered = ["Tank 10", "Tank 9", "Ärger", "Aal"].map((id) => tankOf(id, [{}]));
    same(ordered(numbered, "name", new Map(), "de"), ["Aal", "Ärger", "Tank 9", "Tank 10"]);
    same(ordered(numbered, "own", new Map()), ["Tank 10", "Tank 9", "Ärger", "Aal"]);
});

Deno.test("an order that stands is kept: what is new comes last, and what is gone leaves no place", () => {
    same(kept(["b", "gone", "a"], [tankOf("a", []), tankOf("b", []), tankOf("new", [])]).map(({ id }) => id), ["b", "a", "new"]);
});

Deno.test("the number is of the parameter that is wanted, else of the one nearest to a limit, outside first", () => {
    const tank = tankOf("koi", [{}, { name: "temperature", value: 8.9 }, { name: "nitrate", value: 7.5 }, { name: "free", value: 50, range: { ...range, minimum: null, maximum: null } }]);
    equal(gaugeShown(tank, "nitrate", now)?.name, "nitrate");
    equal(gaugeShown(tank, null, now)?.name, "temperature");
    equal(gaugeShown(tankOf("koi", [{ value: 8.99 }, { ...low, name: "nitrate" }]), null, now)?.name, "nitrate");
    equal(gaugeShown(tank, "salinity", now), null);
    // What is broken or old says nothing of how near it is.
    equal(gaugeShown(tankOf("koi", [{ value: 8.99, brokenSince: now }, { name: "nitrate", value: 8 }]), null, now)?.name, "nitrate");
    equal(gaugeShown(tankOf("koi", [{ value: null, time: null }]), null, now), null);
});

Deno.test("parameters are offered by how many tanks measure them", () => {
    same(parametersOf([tankOf("a", [{}, { name: "nitrate" }]), tankOf("b", [{ name: "nitrate" }, { name: "salinity", value: null }])]), ["nitrate", "ph"]);
});

Deno.test("groups are projects, the person's own first", () => {
    const farm = { id: "7", name: "Lake Farm" };
    const groups = groupsOf([{ id: "a", project: farm }, { id: "b", project: null }, { id: "c" }, { id: "d", project: farm }]);
    same(groups.map(({ id, name, devices }) => [id, name, [...devices]]), [["", null, ["b", "c"]], ["7", "Lake Farm", ["a", "d"]]]);
});

Deno.test("the line of a tank among many rises where it alarmed and is outside, and is hatched while nobody listens", () => {
    const period = { from: now - 720 * minute, to: now };
    const past = /** @type {any} */ ([
        { first: { device: { id: "koi" }, kind: "range", parameter: "ph", worst: 6 }, since: now - 300 * minute, until: now - 240 * minute },
        { first: { device: { id: "koi" }, kind: "silence", parameter: null }, since: now - 200 * minute, until: now - 190 * minute },
        { first: { device: { id: "koi" }, kind: "range", parameter: "ph", worst: 6 }, since: now - 20 * minute, until: null },
        { first: { device: { id: "koi" }, kind: "range", parameter: "ph", worst: 6 }, since: now - 9000 * minute, until: now - 8000 * minute },
    ]);
    const mine = pastOf(past, period).get("koi") ?? [];
    equal(mine.length, 1);
    const line = lineAmongMany(tankOf("koi", [low]), mine, period, now);
    same(line.swells.map(({ from, to, isOpen }) => [(from - now) / minute, (to - now) / minute, isOpen]), [[-300, -240, false], [-14, 0, true]]);
    same(line.gaps, []);
    same(lineAmongMany(tankOf("koi", [{ time: now - 180 * minute }]), [], period, now).gaps, [{ from: now - 180 * minute, to: now }]);
    same(lineAmongMany(tankOf("koi", [{}]), [], period, now), { swells: [], gaps: [], works: [] });
});
