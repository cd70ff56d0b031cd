/** What is known is kept tank by tank: a reading writes what it changes, and what was written is found again. */

import { deepStrictEqual as same } from "node:assert/strict";
import { createKnown } from "../../Services/Gateway/Web/app/known.js";

const at = "2026-11-23T10:00:00Z";
/** @param {number} index @returns {any} */
const device = (index) => ({ id: `tank-${index}`, name: `Tank ${index}`, online: true, silentSince: null, lastReadingAt: null });
/** @returns {any} */
const list = () => ({ items: [{ name: "ph", unit: "pH" }], tag: null });
const values = (/** @type {number} */ value) => new Map([["ph", { value, time: at, side: null, since: null }]]);

function createDisk() {
    /** @type {Map<string, any>} */
    const kept = new Map();
    /** The keys of each writing. @type {string[][]} */
    const writings = [];
    return {
        kept,
        writings,
        isFull: false,
        get: (/** @type {string} */ key) => Promise.resolve(kept.get(key)),
        set: (/** @type {string} */ key, /** @type {any} */ value) => Promise.resolve(kept.set(key, value)),
        all: (/** @type {string} */ prefix) => Promise.resolve([...kept].filter(([key]) => key.startsWith(prefix)).map(([, value]) => value)),
        put(/** @type {Map<string, any>} */ entries, /** @type {string[]} */ gone) {
            writings.push([...entries.keys()]);
            if (this.isFull) return Promise.resolve(undefined);
            for (const [key, value] of entries) kept.set(key, structuredClone(value));
            for (const key of gone) kept.delete(key);
            return Promise.resolve("overview");
        },
        clear: () => Promise.resolve(kept.clear()),
    };
}

/** @param {number} count */
function filled(count) {
    const disk = createDisk();
    const known = createKnown(/** @type {any} */ (disk));
    known.account.value = /** @type {any} */ ({ email: "ana@example.org" });
    const all = Array.from({ length: count }, (_, index) => device(index));
    known.parameters.value = new Map(all.map(({ id }) => [id, list()]));
    known.latest.value = new Map(all.map(({ id }) => [id, values(7)]));
    known.devices.value = all;
    return { disk, known };
}

Deno.test("a reading of one of 200 tanks makes one tank anew, and writes one", () => {
    const { disk, known } = filled(200);
    known.write();
    same(disk.writings[0].length, 401);
    const before = known.tanks.value ?? [];
    known.write();
    known.setLatest("tank-7", values(8));
    const after = known.tanks.value ?? [];
    same(after.flatMap((tank, index) => tank === before[index] ? [] : [tank.id]), ["tank-7"]);
    known.write();
    same(disk.writings.slice(1), [["overview"], ["overview", "tank tank-7"]]);
    known.setList("tank-9", list());
    known.write();
    same(disk.writings.at(-1), ["overview", "list tank-9"]);
});

Deno.test("what was written is found again, without what is no longer there", async () => {
    const { disk, known } = filled(3);
    known.write();
    known.devices.value = known.devices.value?.filter(({ id }) => id !== "tank-1").reverse();
    known.setLatest("tank-2", values(8.5));
    known.write();
    same([...disk.kept.keys()].filter((key) => key.includes("tank-1")), []);
    const next = createKnown(/** @type {any} */ (disk));
    same(await next.recall(), true);
    same(next.tanks.value?.map(({ id }) => id), ["tank-2", "tank-0"]);
    same(next.latest.value.get("tank-2")?.get("ph")?.value, 8.5);
    // What was linked on another visit and is unlinked now goes, too.
    next.devices.value = [device(0)];
    next.write();
    same([...disk.kept.keys()], ["overview", "tank tank-0", "list tank-0"]);
});

Deno.test("what could not be written is written again, and nothing of one person after another signs in", async () => {
    const { disk, known } = filled(2);
    disk.isFull = true;
    known.write();
    await Promise.resolve();
    disk.isFull = false;
    known.write();
    same(disk.writings.map(({ length }) => length), [5, 5]);
    await known.clear();
    known.write();
    same([disk.kept.size, disk.writings.length], [0, 2]);
});

Deno.test("what an earlier version kept in one piece goes with the first writing", async () => {
    const { disk, known } = filled(1);
    disk.kept.set("known", { account: { email: "ana@example.org" } });
    same(await createKnown(/** @type {any} */ (disk)).recall(), false);
    known.write();
    same([...disk.kept.keys()], ["overview", "tank tank-0", "list tank-0"]);
});

Deno.test("who is signed in is kept at once, before their water: a page that is loaded again a moment later knows whose deeds wait", async () => {
    const disk = createDisk();
    const known = createKnown(/** @type {any} */ (disk));
    const ana = /** @type {any} */ ({ email: "ana@example.org", createdAt: "2026-01-01T00:00:00Z" });
    known.account.value = ana;
    await known.accountKept();
    const next = createKnown(/** @type {any} */ (disk));
    same([await next.recall(), next.account.value, next.tanks.value, next.devices.value], [true, ana, undefined, undefined]);
    await next.clear();
    same([await createKnown(/** @type {any} */ (disk)).recall(), [...disk.kept]], [false, []]);
});

Deno.test("what devices measure is written seldom, and whatever people change soon, each once", async () => {
    const { known } = filled(2);
    known.write();
    const { setTimeout } = globalThis;
    /** @type {number[]} */
    const pauses = [];
    globalThis.setTimeout = /** @type {any} */ ((/** @type {() => void} */ _, /** @type {number} */ pause) => pauses.push(pause));
    try {
        known.setLatest("tank-0", values(8));
        same(pauses, [15_000]);
        await known.changed(() => Promise.resolve(known.setSnoozes([])));
        same(pauses, [15_000, 2_000], "an answer, a limit or a setting as well as a name");
        await known.changed(() => Promise.resolve(known.setAnswers([])));
        await known.changed(() => Promise.reject(new Error("refused"))).catch(() => {});
        same(pauses, [15_000, 2_000]);
    } finally {
        globalThis.setTimeout = setTimeout;
    }
});
