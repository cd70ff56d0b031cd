/** Tests by hand that wait on this device: what is shown of them, and how they come to the service once. */

import { deepStrictEqual as same, rejects } from "node:assert/strict";
import { createHandKeeping, delivered } from "../../Services/Gateway/Web/app/hand-keeping.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import { shownValue } from "../../Services/Gateway/Web/water/by-hand.js";
import { keptOf, laidOver, latestWith, pointsOf } from "../../Services/Gateway/Web/water/hand-tests.js";

const scale = { unit: "C", decimals: 1, factor: 1.8, offset: 32, table: null };
const fahrenheit = /** @type {any} */ ({ name: "temperature", unit: "F", decimals: 1, minimum: 60, maximum: 80, scale });

/** @param {string} id @param {string} at @param {number} value */
const testOf = (id, at, value) => ({
    id, at, kit: null, by: null,
    values: [{ parameter: "ph", value, unit: "pH", canonicalValue: value, lower: null, upper: null, choice: null, finding: /** @type {const} */ ("inRange") }],
});
/** @param {ReturnType<typeof testOf>} test @param {unknown} [refusal] */
const rowOf = (test, refusal = null) =>
    /** @type {any} */ ({ path: `/devices/pond/tests/${test.id}`, refusal, about: { hand: "test", device: "pond", test } });
const refusal = { status: 409, code: "please-confirm", title: "Are they right?", detail: "" };
const older = testOf("1", "2026-05-01T12:00:00Z", 7.1);
const newer = testOf("2", "2026-05-03T12:00:00Z", 7.4);

/** An outbox that does what a test says. */
function outboxOf() {
    /** @type {Set<any>} */
    const listeners = new Set();
    /** @type {unknown[]} */
    const added = [];
    return {
        added,
        waiting: signal(/** @type {any[]} */ ([])),
        onAnswer: (/** @type {any} */ listener) => {
            listeners.add(listener);
            return () => listeners.delete(listener);
        },
        /** @param {any} deed */
        add(deed) {
            added.push(deed);
            this.waiting.value = [...this.waiting.value.filter(({ path }) => path !== deed.path), { ...deed, refusal: null }];
            return Promise.resolve();
        },
        /** @param {any} data */
        answer(data) {
            for (const listener of [...listeners]) listener(this.waiting.value[0], { data, tag: null });
            this.waiting.value = this.waiting.value.slice(1);
        },
        refuse() {
            this.waiting.value = this.waiting.value.map((row) => ({ ...row, refusal }));
        },
        retry: () => Promise.resolve(),
        remove: () => Promise.resolve(),
        listeners,
    };
}
const connectionOf = (/** @type {'live' | 'offline'} */ state) => signal(/** @type {any} */ ({ state, seenAt: 0 }));
const deed = /** @type {any} */ ({ id: "2", method: "PUT", path: "/devices/pond/tests/2", subject: "test 2", ...rowOf(newer) });
const settle = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("what waits lies over what the service says, and what it refused says nothing of the water", () => {
    const kept = keptOf([rowOf(newer), rowOf(testOf("3", "2026-05-04T12:00:00Z", 9), refusal), /** @type {any} */ ({ about: { journal: "gone" } })], true);
    same(kept.map(({ test, state }) => [test.id, state]), [["2", "waiting"], ["3", "refused"]]);
    same(keptOf([rowOf(newer)], false)[0].state, "saved");
    const tests = laidOver([older, { ...newer, values: [] }], kept);
    same(tests.map(({ id }) => id), ["2", "1"]);
    same(pointsOf(tests, "ph").map(({ at, value }) => [at, value.value]), [[older.at, 7.1], [newer.at, 7.4]]);
    same(pointsOf(tests, "nitrate"), []);
    const bounds = { least: 0, greatest: 14 };
    const [latest] = latestWith([{ parameter: "ph", last: pointsOf([older], "ph")[0], before: null, expected: bounds, possible: bounds }], [newer]);
    same([latest.last?.value.value, latest.before?.value.value], [7.4, 7.1]);
});

Deno.test("what was typed is judged here until the service has answered, and a step only with all that looks like it", () => {
    const row = { parameter: "temperature", unit: "F", steps: [], waitMinutes: null, isOfKit: false };
    const warm = shownValue({ parameter: "temperature", value: 86, unit: "F" }, row, fahrenheit);
    same([warm.finding, Math.round(warm.canonicalValue ?? 0)], ["high", 30]);
    same(shownValue({ parameter: "temperature", value: 70, unit: "F" }, row, fahrenheit).finding, "inRange");
    same(shownValue({ parameter: "temperature", value: 70, unit: "F" }, row, { ...fahrenheit, minimum: null, maximum: null }).finding, "noLimit");
    same(shownValue({ parameter: "temperature", value: 300, unit: "K" }, { ...row, unit: "K" }, fahrenheit).canonicalValue, null);
    const steps = [{ choice: "25", value: 25, lower: 24, upper: 28 }, { choice: "30", value: 30, lower: 28, upper: null }];
    const choose = (/** @type {string} */ choice) => shownValue({ parameter: "temperature", choice }, { ...row, unit: "C", steps }, fahrenheit);
    same([choose("25").finding, choose("30").finding], ["inRange", "high"]);
});

Deno.test("whoever waits hears the answer, or why there is none, or that it comes later", async () => {
    const outbox = outboxOf();
    const live = delivered(outbox, connectionOf("live"), deed);
    await settle();
    outbox.answer({ values: [] });
    same(await live, { values: [] });
    same(await delivered(outboxOf(), connectionOf("offline"), deed), null);
    const doubted = outboxOf();
    const asked = delivered(doubted, connectionOf("live"), deed);
    await settle();
    doubted.refuse();
    await rejects(asked, { code: "please-confirm", status: 409 });
    const connection = connectionOf("live");
    const cut = delivered(outboxOf(), connection, deed);
    await settle();
    connection.value = { state: "noAnswer", seenAt: 0 };
    same(await cut, null);
    same(outbox.listeners.size, 0, "nobody listens any more");
});

Deno.test("a test that waits is shown, is confirmed under its own id, and stays as the service has taken it", async () => {
    const outbox = outboxOf();
    const store = /** @type {any} */ ({
        account: signal({ createdAt: "1" }), connection: connectionOf("offline"), journalNews: signal(0), keep() {}, kept: () => Promise.resolve([older]),
    });
    const api = /** @type {any} */ ({ get: () => Promise.reject(new Error("offline")) });
    const keeping = createHandKeeping({ api, store, outbox: /** @type {any} */ (outbox) });
    keeping.look("pond", 1);
    await settle();
    const test = { at: newer.at, kit: null, note: null, values: [], confirmed: false };
    same(await keeping.write("pond", "2", test, newer.values), null);
    const shown = () => keeping.shown.value.get("pond")?.map(({ id, values }) => [id, values[0].value]);
    same(shown(), [["2", 7.4], ["1", 7.1]]);
    outbox.refuse();
    same(shown(), [["1", 7.1]]);
    await keeping.confirm(keeping.waiting.value[0]);
    same(/** @type {any} */ (outbox.added.at(-1)).body, { ...test, confirmed: true });
    outbox.answer({ ...newer, values: [{ ...newer.values[0], value: 7.5 }] });
    same([shown(), keeping.waiting.value], [[["2", 7.5], ["1", 7.1]], []]);
    store.account.value = { createdAt: "2" };
    same(shown(), undefined);
});
