import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { applied, samplesOf, tankOf } from "../../Services/Gateway/Web/app/tanks.js";

const device = { id: "pond-1", name: "Koi pond", online: true, silentSince: null };
const parameters = [
    {
        name: "ph",
        unit: "pH",
        minimum: 7.5,
        maximum: 8.5,
        least: 1,
        greatest: 14,
        decimals: 1,
        colour: "blue",
        position: 1,
    },
    {
        name: "temperature",
        unit: "F",
        minimum: 53.6,
        maximum: null,
        least: -40,
        greatest: 104,
        decimals: 1,
        colour: "red",
        position: 0,
    },
];
const latest = [
    {
        device: "pond-1",
        parameter: "temperature",
        time: "2026-05-01T12:00:00Z",
        value: 74.1,
        unit: "F",
        canonicalValue: 23.39,
        state: "high",
        since: "2026-05-01T11:00:00Z",
    },
    { device: "other", parameter: "ph", time: "2026-05-01T12:00:00Z", value: 3, unit: "pH", state: "inRange" },
];
const tank = tankOf(device, parameters, latest);

Deno.test("gauges are in the person's order, each with its own last value", () => {
    same(tank.gauges.map((gauge) => gauge.name), ["temperature", "ph"]);
    equal(tank.gauges[0].value, 74.1);
    equal(tank.gauges[0].side, "high");
    equal(tank.gauges[1].value, null);
    equal(tank.gauges[1].time, null);
    equal(tank.gauges[0].range.maximum, null);
});

Deno.test("a unit that was changed since converts the value that is known", () => {
    const celsius = parameters.map((parameter) => parameter.name === "temperature" ? { ...parameter, unit: "C" } : parameter);
    equal(tankOf(device, celsius, latest).gauges[0].value, 23.39);
});

Deno.test("a live reading is canonical, and becomes the person's unit", () => {
    const event = { device: "pond-1", time: "2026-05-01T12:01:00Z", values: { temperature: 25, ph: 0 } };
    const next = applied(tank, "reading", event);
    same(next.gauges.map((gauge) => gauge.value), [77, 0]);
    same(samplesOf(tank, event).get("temperature"), { time: Date.parse("2026-05-01T12:01:00Z"), value: 77 });
    equal(tank.gauges[0].value, 74.1);
});

Deno.test("what comes twice, late, or of another device changes nothing", () => {
    const event = { device: "pond-1", time: "2026-05-01T12:01:00Z", values: { temperature: 25 } };
    const next = applied(tank, "reading", event);
    equal(applied(next, "reading", event), next);
    equal(applied(next, "reading", { ...event, time: "2026-05-01T11:00:00Z" }), next);
    equal(applied(tank, "reading", { ...event, device: "other" }), tank);
    equal(applied(tank, "reading", { ...event, values: { temperature: null, unknown: 4 } }), tank);
    equal(applied(tank, "ready", {}), tank);
});

Deno.test("an episode opens and closes", () => {
    const open = { device: "pond-1", parameter: "ph", state: "open", side: "low", since: "2026-05-01T12:00:00Z" };
    const next = applied(tank, "episode", open);
    equal(next.gauges[1].side, "low");
    equal(next.gauges[1].since, Date.parse("2026-05-01T12:00:00Z"));
    equal(applied(next, "episode", open), next);
    const closed = applied(next, "episode", { device: "pond-1", parameter: "ph", state: "closed" });
    same([closed.gauges[1].side, closed.gauges[1].since], [null, null]);
});

Deno.test("a device goes silent and comes back", () => {
    const gone = applied(tank, "device", { device: "pond-1", online: false, since: "2026-05-01T12:02:00Z" });
    same([gone.online, gone.silentSince], [false, Date.parse("2026-05-01T12:02:00Z")]);
    const back = applied(gone, "device", { device: "pond-1", online: true, since: "2026-05-01T12:03:00Z" });
    same([back.online, back.silentSince], [true, null]);
});
