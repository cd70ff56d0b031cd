/** Snoozes and acknowledgements: which one is of what, and what becomes of them here. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { createChanges } from "../../Services/Gateway/Web/app/changes.js";
import { afterEpisode, isHeld, lengths, replaced, shortSnoozedText, snoozedText, snoozeOf } from "../../Services/Gateway/Web/water/snoozes.js";

/** @typedef {import("../../Services/Gateway/Web/water/snoozes.js").Snooze} Snooze */
/** @typedef {import("../../Services/Gateway/Web/water/snoozes.js").Subject} Subject */

const until = "2026-11-24T06:18:00Z";
/** @type {Subject} */
const subject = { device: "tank", kind: "range", parameter: "ph", side: "low" };
/** @type {Snooze} */
const snooze = { ...subject, until, acknowledged: false };

Deno.test("a snooze is of one side of one parameter of one device", () => {
    same(snoozeOf([snooze], subject), { until: Date.parse(until), isAcknowledged: false });
    for (const other of [{ device: "pond" }, { kind: "silence" }, { parameter: "salinity" }, { parameter: null }, { side: "high" }]) {
        equal(snoozeOf([snooze], /** @type {Subject} */ ({ ...subject, ...other })), null);
    }
});

Deno.test("what ends with what goes on is told so, but for a button's hour, which is told by its time", () => {
    const voice = /** @type {any} */ ({ t: (/** @type {string} */ key, /** @type {any} */ values) => `${key} ${values?.time ?? ""}`.trim(), format: { placed: () => "07:18" } });
    const end = Date.parse(until);
    const told = (/** @type {boolean} */ isAcknowledged, /** @type {number} */ minutes) =>
        [snoozedText, shortSnoozedText].map((text) => text(voice, { until: end, isAcknowledged }, end - minutes * 60_000));
    same(told(true, 24 * 60), ["snooze.acknowledged", "snooze.known"]);
    same(told(true, 60), ["snooze.until 07:18", "snooze.short 07:18"]);
    same(told(false, 24 * 60), ["snooze.until 07:18", "snooze.short 07:18"]);
});

Deno.test("it holds until its time", () => {
    const snoozed = snoozeOf([snooze], subject);
    equal(isHeld(snoozed, Date.parse(until) - 1), true);
    equal(isHeld(snoozed, Date.parse(until)), false);
    equal(isHeld(null, 0), false);
    equal(isHeld(undefined, 0), false);
});

Deno.test("an acknowledgement ends with its episode, a snooze does not", () => {
    const acknowledged = { ...snooze, acknowledged: true };
    const fast = { ...acknowledged, kind: "rate", side: null };
    const others = [{ ...acknowledged, parameter: "salinity" }, { ...acknowledged, device: "pond" }, snooze];
    same(afterEpisode([acknowledged, fast, ...others], { device: "tank", kind: "range", parameter: "ph" }), [fast, ...others]);
    same(afterEpisode([acknowledged, fast, ...others], { device: "tank", kind: "rate", parameter: "ph" }), [acknowledged, ...others]);
});

Deno.test("the next one takes the place of the one before", () => {
    const other = { ...snooze, side: /** @type {const} */ ("high") };
    const next = { ...snooze, acknowledged: true };
    same(replaced([snooze, other], subject, next), [other, next]);
    same(replaced([snooze, other], subject, null), [other]);
});

Deno.test("nobody snoozes for longer than the service allows", () => equal(Math.max(...lengths) <= 7 * 24 * 60, true));

/** A service that knows these alerts, and notes what it is asked for. @param {any[]} items */
function world(items) {
    /** @type {string[]} */
    const asked = [];
    /** @type {any} */
    const known = {
        snoozes: { value: [] },
        changed: (/** @type {() => Promise<unknown>} */ change) => change(),
        setSnoozes: (/** @type {any} */ next) => known.snoozes.value = next,
    };
    /** @type {any} */
    const api = {
        get: (/** @type {string} */ path, /** @type {any} */ { query }) => {
            asked.push(`GET ${path} ${query.device} ${query.kind} ${query.parameter}`);
            return Promise.resolve({ data: { items } });
        },
        post: (/** @type {string} */ path, /** @type {any} */ body) => {
            asked.push(`POST ${path} ${JSON.stringify(body)}`);
            return Promise.resolve({ data: { ...snooze, acknowledged: path.endsWith("/acknowledge") } });
        },
        delete: (/** @type {string} */ path) => {
            asked.push(`DELETE ${path}`);
            return Promise.resolve({ data: null });
        },
    };
    return { asked, known, changes: createChanges({ api, known }) };
}

Deno.test("it is asked for by the last alert of that side", async () => {
    const { asked, known, changes } = world([
        { id: "3", parameter: "ph", side: "high" },
        { id: "2", parameter: "ph", side: "low" },
        { id: "1", parameter: "ph", side: "low" },
    ]);
    equal(await changes.snooze(subject, { minutes: 30 }), true);
    same(asked, ["GET /alerts tank range ph", 'POST /alerts/2/snooze {"minutes":30}']);
    same(known.snoozes.value, [snooze]);
});

Deno.test("where an alert is known, it is not looked for; acknowledging and cancelling show at once", async () => {
    const { asked, known, changes } = world([]);
    await changes.snooze(subject, "over", "7");
    same(known.snoozes.value, [{ ...snooze, acknowledged: true }]);
    await changes.snooze(subject, null, "7");
    same(known.snoozes.value, []);
    same(asked, ["POST /alerts/7/acknowledge undefined", "DELETE /alerts/7/snooze"]);
});

Deno.test("what nobody was alerted of is not snoozed", async () => {
    const { asked, known, changes } = world([{ id: "3", parameter: "ph", side: "high" }]);
    equal(await changes.snooze(subject, { minutes: 30 }), false);
    same(asked, ["GET /alerts tank range ph"]);
    same(known.snoozes.value, []);
});
