/** Others' public stations, as the app tells of them. */

import { deepStrictEqual as same, strictEqual as is } from "node:assert/strict";
import { isByHand } from "../../Services/Gateway/Web/water/headline.js";
import { byItself, chosen, hidden, isNew, standingOf, typed } from "../../Services/Gateway/Web/water/station.js";

/** @param {object} change */
const station = (change = {}) => /** @type {import("../../Services/Gateway/Web/water/station.js").Station} */ ({
    kind: "usgs",
    station: "01646500",
    title: "Potomac River",
    source: "U.S. Geological Survey",
    page: "https://waterdata.usgs.gov/monitoring-location/USGS-01646500/",
    series: [],
    setAt: "2026-11-30T12:00:00Z",
    askedAt: null,
    fetchedAt: null,
    fault: null,
    dueAt: "2026-11-30T12:00:00Z",
    ...change,
});

const known = new Set(["station.fault_notFound"]);
const voice = /** @type {any} */ ({ t: Object.assign((/** @type {string} */ key) => key, { has: (/** @type {string} */ key) => known.has(key) }) });

Deno.test("a station is new until it has answered, or has not", () => {
    is(isNew(null), false);
    is(isNew(station()), true);
    is(isNew(station({ fetchedAt: "2026-11-30T12:00:05Z" })), false);
    is(isNew(station({ fault: "unreachable" })), false);
});

Deno.test("a station's standing is told, also what a later version finds", () => {
    is(standingOf(voice, station()), "station.new");
    is(standingOf(voice, station({ fetchedAt: "2026-11-30T12:00:05Z" })), "station.works");
    is(standingOf(voice, station({ fault: "notFound" })), "station.fault_notFound");
    is(standingOf(voice, station({ fault: "drunk" })), "station.fault_broken");
});

Deno.test("what is said of one series leaves the others as they are", () => {
    const series = [
        { id: "1", name: "Temperature", unit: "°C", parameter: "temperature", newest: null },
        { id: "2", name: "Level", unit: "m", parameter: null, newest: null },
    ];
    same(chosen(series, "2", "ph"), [{ id: "1", parameter: "temperature" }, { id: "2", parameter: "ph" }]);
    same(chosen(series, "1", hidden), [{ id: "1", parameter: null }, { id: "2", parameter: null }]);
    same(chosen(series, "1", byItself), [{ id: "2", parameter: null }]);
});

Deno.test("what copying brings along is no part of an address", () => is(typed(" USGS-01646500\n"), "USGS-01646500"));

Deno.test("what a station measured tells of a place's water for some hours, and of a place without one nothing does", () => {
    const now = Date.parse("2026-11-30T12:00:00Z");
    const place = (/** @type {number | null} */ hours) => /** @type {any} */ ({
        site: { testedAt: null, values: [] },
        gauges: [{ value: hours === null ? null : 12, time: hours === null ? null : now - hours * 3_600_000 }],
    });
    is(isByHand(place(1), now), false);
    is(isByHand(place(4), now), true);
    is(isByHand(place(null), now), true);
    is(isByHand({ ...place(4), site: null }, now), false);
});
