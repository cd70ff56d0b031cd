/** Deeds without a connection: kept first, sent once, in order, and never in another person's name. */

import { deepStrictEqual as same, ok, rejects, strictEqual as equal } from "node:assert/strict";
import { createOutbox, OutboxFull } from "../../Services/Gateway/Web/app/outbox.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import { NoAnswer, Problem } from "../../Services/Gateway/Web/words/problem.js";
import { createRows } from "./rows.js";

const ana = /** @type {any} */ ({ createdAt: "2026-01-01T00:00:00.000001Z" });
const mika = /** @type {any} */ ({ createdAt: "2026-01-01T00:00:00.000002Z" });

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

/** @param {any} [whose] */
function setting(whose = ana) {
    const rows = createRows();
    const account = signal(whose);
    /** @type {string[]} */
    const sent = [];
    /** @type {any[]} */
    const asked = [];
    /** @type {(() => void)[]} */
    const later = [];
    const clock = { now: 1_000_000 };
    const service = { answer: (/** @type {string} */ _) => /** @type {any} */ ({ data: null, tag: null }) };
    /** @param {string} method */
    const call = (method) => async (/** @type {string} */ path, /** @type {any} */ body, /** @type {any} */ more) => {
        sent.push(`${method} ${path}`);
        asked.push({ body, ...more });
        return await service.answer(`${method} ${path}`);
    };
    const api = /** @type {any} */ ({ put: call("PUT"), post: call("POST"), delete: (/** @type {string} */ path, /** @type {any} */ more) => call("DELETE")(path, undefined, more) });
    /** The pauses of attempts to come. @type {number[]} */
    const pauses = [];
    /** @param {(method: string, path: string) => string | null} [project] */
    const open = (project) =>
        createOutbox({ api, account, rows, project, later: (run, pause) => later.push(run) && pauses.push(pause), now: () => clock.now });
    return { rows, account, sent, asked, later, pauses, clock, service, open, outbox: open() };
}

/** @param {string} id @param {any} [more] @returns {any} */
const put = (id, more = {}) => ({ id, method: "PUT", path: `/things/${id}`, body: { id }, subject: id, ...more });

const away = () => {
    throw new NoAnswer(true);
};

Deno.test("a deed is kept before it is sent, and leaves when it was answered", async () => {
    const { outbox, rows, sent, service } = setting();
    /** @type {(() => void)[]} */
    const ends = [];
    service.answer = () => new Promise((resolve) => ends.push(() => resolve({ data: { version: 1 }, tag: '"1"' })));
    /** @type {any[]} */
    const heard = [];
    outbox.onAnswer((row, { data }) => heard.push([row.id, data, rows.kept.size]));
    await outbox.add(put("a", { about: { name: "Filter" } }));
    equal(rows.kept.size, 1);
    await settled();
    same(sent, ["PUT /things/a"]);
    same(outbox.waiting.value.map(({ state, about }) => [state, about]), [["sending", { name: "Filter" }]]);
    ends[0]();
    await settled();
    same(heard, [["a", { version: 1 }, 1]], "told before the row leaves");
    same([rows.kept.size, outbox.waiting.value], [0, []]);
});

Deno.test("a deed that says when it is sent says so each time that it is", async () => {
    const { outbox, rows, asked, service, clock } = setting();
    service.answer = away;
    await outbox.add(put("a", { stamp: "sentAt" }));
    await settled();
    clock.now += 60_000;
    service.answer = () => ({ data: null, tag: null });
    await outbox.send();
    same(asked.map(({ body }) => body), [{ id: "a", sentAt: "1970-01-01T00:16:40.000Z" }, { id: "a", sentAt: "1970-01-01T00:17:40.000Z" }]);
    equal(rows.kept.size, 0);
});

Deno.test("whose deeds they are is kept before the first of them", async () => {
    const { rows, account } = setting();
    /** @type {(() => void)[]} */
    const ends = [];
    const isReady = () => new Promise((resolve) => ends.push(() => resolve(undefined)));
    const outbox = createOutbox({ api: /** @type {any} */ ({ put: away }), account, rows, isReady, later: () => {} });
    const added = outbox.add(put("a"));
    await settled();
    equal(rows.kept.size, 0);
    ends[0]();
    await added;
    equal(rows.kept.size, 1);
});

Deno.test("without a connection deeds wait, outlast the app, and are sent once in the order of making", async () => {
    const world = setting();
    world.service.answer = away;
    for (const id of ["a", "b", "c"]) await world.outbox.add(put(id));
    await settled();
    same(world.outbox.waiting.value.map(({ id, state }) => [id, state]), [["a", "waiting"], ["b", "waiting"], ["c", "waiting"]]);
    ok(world.sent.every((path) => path === "PUT /things/a"), "nothing else has a chance either");
    const next = world.open();
    world.sent.length = 0;
    world.service.answer = () => ({ data: null, tag: null });
    await next.read();
    same(world.sent, ["PUT /things/a", "PUT /things/b", "PUT /things/c"]);
    await next.send();
    equal(world.sent.length, 3);
});

Deno.test("a deed is sent as whom it was done, whomever the window acts for that sends it", async () => {
    const world = setting();
    world.service.answer = away;
    const acts = world.open((_, path) => path.endsWith("/b") ? "7" : null);
    await acts.add(put("a"));
    await acts.add(put("b"));
    await settled();
    same(acts.waiting.value.map(({ id, account, project }) => [id, account, project]), [["a", ana.createdAt, null], ["b", ana.createdAt, "7"]]);
    const next = world.open();
    world.asked.length = 0;
    world.service.answer = () => ({ data: null, tag: null });
    await next.read();
    same(world.asked.map(({ body, project }) => [body.id, project]), [["a", null], ["b", "7"]]);
    world.service.answer = away;
    await acts.add(put("b"));
    await next.read();
    await next.clear();
    same([next.waiting.value, world.rows.kept.size], [[], 0], "whoever signs out takes all of it");
});

Deno.test("one that could not be stored is told, and not sent", async () => {
    const { outbox, rows, sent } = setting();
    rows.isBroken = true;
    await rejects(outbox.add(put("a")));
    await settled();
    same([sent, outbox.waiting.value], [[], []]);
});

Deno.test("a refusal is kept with its reason; the next subject goes on, its own waits for the person", async () => {
    const { outbox, sent, service } = setting();
    service.answer = (what) => {
        if (what.endsWith("/a")) throw new Problem(404, { code: "not-found", title: "No such reminder", detail: "It is gone." }, null);
        return { data: null, tag: null };
    };
    await outbox.add(put("a"));
    await outbox.add(put("a2", { subject: "a" }));
    await outbox.add(put("b"));
    await settled();
    same(sent, ["PUT /things/a", "PUT /things/b"]);
    same(outbox.waiting.value.map(({ id, state, refusal }) => [id, state, refusal?.title]), [["a", "refused", "No such reminder"], ["a2", "waiting", undefined]]);
    service.answer = () => ({ data: null, tag: null });
    await outbox.retry(outbox.waiting.value[0]);
    same([sent.slice(2), outbox.waiting.value], [["PUT /things/a", "PUT /things/a2"], []]);
});

Deno.test("who is too busy is asked again later, and meanwhile the others are sent", async () => {
    const { outbox, sent, later, clock, service } = setting();
    let isBusy = true;
    service.answer = (what) => {
        if (isBusy && what.endsWith("/a")) throw new Problem(503, {}, 7);
        return { data: null, tag: null };
    };
    await outbox.add(put("a"));
    await outbox.add(put("b"));
    await settled();
    same(outbox.waiting.value.map(({ id, state }) => [id, state]), [["a", "waiting"]]);
    isBusy = false;
    equal(later.length, 1);
    clock.now += 7_000;
    later[0]();
    await settled();
    same([sent.at(-1), outbox.waiting.value], ["PUT /things/a", []]);
});

Deno.test("each row rests for as long as the service asked; the others are tried meanwhile", async () => {
    const { outbox, sent, later, pauses, clock, service } = setting();
    const refused = { "/things/a": new Problem(429, {}, 3_600), "/things/b": new Problem(503, {}, null) };
    service.answer = (what) => {
        throw refused[/** @type {keyof typeof refused} */ (what.slice(4))];
    };
    await outbox.add(put("a"));
    await settled();
    await outbox.add(put("b"));
    await settled();
    same([sent, pauses], [["PUT /things/a", "PUT /things/b"], [3_600_000, 4_000]], "nobody is asked before the time");
    sent.length = 0;
    clock.now += 4_000;
    later[1]();
    await settled();
    same([sent, pauses.at(-1)], [["PUT /things/b"], 8_000]);
    service.answer = () => ({ data: null, tag: null });
    clock.now += 3_600_000;
    later[0]();
    await settled();
    same([sent.slice(1).sort(), outbox.waiting.value], [["PUT /things/a", "PUT /things/b"], []]);
});

Deno.test("what the service cannot take for a day is the person's to give up, or to send once more", async () => {
    const { outbox, sent, clock, service } = setting();
    service.answer = () => {
        throw new Problem(500, { code: "internal-error", title: "Something is wrong here" }, null);
    };
    await outbox.add(put("a"));
    await settled();
    clock.now += 24 * 3_600_000 - 1;
    await outbox.send();
    same(outbox.waiting.value.map(({ state }) => state), ["waiting"]);
    clock.now += 1;
    await outbox.send();
    same(outbox.waiting.value.map(({ state, refusal }) => [state, refusal?.title]), [["refused", "Something is wrong here"]]);
    const tries = sent.length;
    await outbox.retry(outbox.waiting.value[0]);
    same([sent.length, outbox.waiting.value[0].state], [tries + 1, "waiting"]);
    await outbox.remove(outbox.waiting.value[0]);
    same(outbox.waiting.value, []);
});

Deno.test("another person's deeds are neither shown nor sent; they wait for theirs", async () => {
    const { outbox, account, sent, service, rows } = setting();
    service.answer = away;
    await outbox.add(put("a"));
    await settled();
    service.answer = () => ({ data: null, tag: null });
    sent.length = 0;
    account.value = mika;
    await outbox.read();
    same([outbox.waiting.value, sent, rows.kept.size], [[], [], 1]);
    account.value = ana;
    await outbox.read();
    same([outbox.waiting.value, sent], [[], ["PUT /things/a"]]);
});

Deno.test("a change of accounts ends what is being sent, which is neither lost nor taken for answered", async () => {
    const { outbox, account, asked, service, rows } = setting();
    let end = () => {};
    service.answer = () => new Promise((resolve) => end = () => resolve({ data: null, tag: null }));
    await outbox.add(put("a"));
    await settled();
    account.value = null;
    equal(asked[0].signal.aborted, true);
    end();
    await settled();
    equal(rows.kept.size, 1);
    await rejects(outbox.add(put("b")));
});

Deno.test("a change of accounts before anything was sent sends nothing", async () => {
    const { outbox, account, rows, sent } = setting();
    const write = rows.write.bind(rows);
    rows.write = (row, gone) => {
        if (row?.isTried) account.value = mika;
        return write(row, gone);
    };
    await outbox.add(put("a"));
    await settled();
    same([sent, rows.kept.size], [[], 1]);
});

Deno.test("what the service never heard of is changed or taken back here", async () => {
    const { outbox, sent, service, rows } = setting();
    // The first takes the line.
    service.answer = away;
    await outbox.add(put("first"));
    await settled();
    await outbox.add(put("a", { body: { text: "one" } }));
    await outbox.add(put("a", { body: { text: "two" } }));
    await outbox.add(put("b"));
    await outbox.add(put("photo", { subject: "photo", after: "b" }));
    same([...rows.kept.values()].map(({ id, body }) => [id, body.text]), [["first", undefined], ["a", "two"], ["b", undefined], ["photo", undefined]]);
    await outbox.add({ ...put("b"), method: "DELETE", body: undefined });
    await settled();
    same([...rows.kept.values()].map(({ id }) => id), ["first", "a"]);
    // Whether the service heard of the first is not known: undoing it has to be sent.
    await outbox.add({ ...put("first"), method: "DELETE", body: undefined });
    service.answer = () => ({ data: null, tag: null });
    sent.length = 0;
    await outbox.send();
    same(sent, ["PUT /things/first", "PUT /things/a", "DELETE /things/first"]);
});

Deno.test("bytes are sent as they are, with their type; a change names the version it knows", async () => {
    const { outbox, asked } = setting();
    const bytes = new Uint8Array([1, 2, 3]).buffer;
    await outbox.add(put("p", { body: bytes, type: "image/jpeg", ifMatch: '"4"' }));
    await settled();
    same([asked[0].type, asked[0].ifMatch, [...new Uint8Array(asked[0].body)]], ["image/jpeg", '"4"', [1, 2, 3]]);
});

Deno.test("there is an end of what is kept, and it is told", async () => {
    const { outbox, service } = setting();
    service.answer = away;
    for (let count = 0; count < 500; count += 1) await outbox.add(put(`${count}`));
    await rejects(outbox.add(put("one more")), OutboxFull);
    await outbox.add(put("7", { body: { text: "again" } }));
    await outbox.clear();
    same(outbox.waiting.value, []);
});

Deno.test("a window that sends beside another sends nothing twice that was answered", async () => {
    const world = setting();
    const other = world.open();
    await world.outbox.add(put("a"));
    await settled();
    await other.read();
    same(world.sent, ["PUT /things/a"]);
});

Deno.test("a second change of the same thing names the version that the first one's answer brings", async () => {
    for (const ifMatch of ['"v3"', undefined]) {
        const { outbox, asked, service, rows } = setting();
        service.answer = away;
        await outbox.add(put("a", { ifMatch, body: { text: "one" } }));
        await settled();
        await outbox.add(put("a", { ifMatch, body: { text: "two" } }));
        same([...rows.kept.values()].map(({ isTried }) => isTried), [true, false], "the service may have heard of the first");
        asked.length = 0;
        let version = 3;
        service.answer = () => ({ data: null, tag: `"v${version += 1}"` });
        await outbox.send();
        same(asked.map(({ body, ifMatch }) => [body.text, ifMatch]), [["one", ifMatch], ["two", '"v4"']]);
        same([rows.kept.size, outbox.waiting.value], [0, []]);
    }
});

Deno.test("a change waits for the answer to the one before it also when the app was closed meanwhile, or another window sends", async () => {
    const world = setting();
    world.service.answer = away;
    await world.outbox.add(put("a", { ifMatch: '"v3"' }));
    await settled();
    const other = world.open();
    await other.read();
    await world.outbox.add(put("a", { ifMatch: '"v3"' }));
    world.service.answer = () => {
        if (world.asked.at(-1).ifMatch !== '"v3"') throw new NoAnswer(true);
        return { data: null, tag: '"v4"' };
    };
    await other.send();
    const next = world.open();
    world.asked.length = 0;
    world.service.answer = () => ({ data: null, tag: '"v5"' });
    await next.read();
    same(world.asked.map(({ ifMatch }) => ifMatch), ['"v4"']);
});

Deno.test("a form that was open while a change of the same thing was on its way changes what that has made", async () => {
    const { outbox, asked, service } = setting();
    let version = 3;
    service.answer = () => ({ data: null, tag: `"v${version += 1}"` });
    for (const ifMatch of ['"v3"', '"v3"', '"v4"', '"v9"']) {
        await outbox.add(put("a", { ifMatch }));
        await settled();
    }
    same(asked.map(({ ifMatch }) => ifMatch), ['"v3"', '"v4"', '"v5"', '"v9"'], "of a version that is not its own it is told");
    await outbox.add({ ...put("a"), method: "DELETE", body: undefined });
    await settled();
    await outbox.add(put("a"));
    await settled();
    equal(asked.at(-1).ifMatch, undefined, "made anew");
});

Deno.test("what is made, changed and undone before an answer came is undone by the service", async () => {
    const { outbox, sent, service } = setting();
    service.answer = away;
    await outbox.add(put("a"));
    await settled();
    await outbox.add(put("a"));
    await outbox.add({ ...put("a"), method: "DELETE", body: undefined });
    await settled();
    sent.length = 0;
    service.answer = () => ({ data: null, tag: '"v1"' });
    await outbox.send();
    same([sent, outbox.waiting.value], [["PUT /things/a", "DELETE /things/a"], []]);
});

Deno.test("what goes wrong where an answer is shown is no failed sending", async () => {
    const { outbox, sent, later, rows } = setting();
    const { error } = console;
    /** @type {unknown[]} */
    const told = [];
    /** @type {string[]} */
    const heard = [];
    console.error = (fault) => told.push(fault);
    outbox.onAnswer(() => {
        throw new TypeError("a list that is gone");
    });
    outbox.onAnswer(({ id }) => heard.push(id));
    await outbox.add(put("a", { method: "POST" }));
    await settled();
    console.error = error;
    same([sent, heard, later.length, rows.kept.size, outbox.waiting.value], [["POST /things/a"], ["a"], 0, 0, []]);
    equal(told.length, 1);
});
