/** Field samples on their way: kept first, sent once, cut off anywhere, and taken away only after the service has shown them. */

import { deepStrictEqual as same, ok, rejects, strictEqual as equal } from "node:assert/strict";
import { createDrafts, DraftsFull } from "../../Services/Gateway/Web/app/field/drafts.js";
import { createFieldWork } from "../../Services/Gateway/Web/app/field/field.js";
import { createSamples } from "../../Services/Gateway/Web/app/field/samples.js";
import { timedUUID } from "../../Services/Gateway/Web/app/field/uuid.js";
import { createOutbox } from "../../Services/Gateway/Web/app/outbox.js";
import { joined } from "../../Services/Gateway/Web/water/field/draft.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import { NoAnswer, Problem } from "../../Services/Gateway/Web/words/problem.js";
import { account as mine, draftOf, fieldOf, id, photoOf, protocolOf } from "./field-samples.js";
import { createRows } from "./rows.js";

globalThis.document ??= /** @type {any} */ ({ hidden: false, addEventListener() {}, removeEventListener() {} });

const protocol = protocolOf([fieldOf("oxygen", "number")]);
const settled = () => new Promise((resolve) => setTimeout(resolve, 25));

/** A disk that keeps drafts as the browser's does. */
function createDisk() {
    /** @type {Map<string, any>} */
    const drafts = new Map();
    /** @type {Map<string, any>} */
    const photos = new Map();
    const disk = {
        drafts,
        photos,
        isFull: false,
        all: () => Promise.resolve([...drafts.values()].map((row) => structuredClone(row))),
        async add(/** @type {any} */ draft) {
            await Promise.resolve();
            drafts.set(draft.id, structuredClone(draft));
        },
        async put(/** @type {any} */ draft) {
            await Promise.resolve();
            if (disk.isFull) throw new DOMException("no room", "QuotaExceededError");
            const had = drafts.get(draft.id);
            if (had) drafts.set(draft.id, structuredClone(joined(draft, had)));
        },
        async putPhoto(/** @type {any} */ draft, /** @type {string} */ photo, /** @type {any} */ content) {
            await disk.put(draft);
            photos.set(`${draft.id} ${photo}`, content);
        },
        async dropPhoto(/** @type {any} */ draft, /** @type {string} */ photo) {
            await disk.put(draft);
            photos.delete(`${draft.id} ${photo}`);
        },
        photo: (/** @type {string} */ draft, /** @type {string} */ photo) => Promise.resolve(photos.get(`${draft} ${photo}`)),
        async replace(/** @type {string} */ id, /** @type {(former: any, photos: Set<string>) => any} */ make) {
            await Promise.resolve();
            if (disk.isFull) throw new DOMException("no room", "QuotaExceededError");
            if (!drafts.has(id)) return null;
            const here = [...photos.keys()].filter((key) => key.startsWith(`${id} `)).map((key) => key.slice(id.length + 1));
            const { draft, photos: next } = make(structuredClone(drafts.get(id)), new Set(here));
            for (const [from, to] of next) photos.set(`${draft.id} ${to}`, photos.get(`${id} ${from}`));
            await disk.remove(id, () => true);
            drafts.set(draft.id, structuredClone(draft));
            return draft;
        },
        remove(/** @type {string} */ draft, /** @type {(draft: any) => boolean} */ may) {
            if (drafts.has(draft) && !may(drafts.get(draft))) return Promise.resolve(false);
            drafts.delete(draft);
            for (const key of photos.keys()) if (key.startsWith(`${draft} `)) photos.delete(key);
            return Promise.resolve(true);
        },
    };
    return disk;
}

/** A service that keeps samples as it is documented, and may be out of reach. */
function createService() {
    /** @type {Map<string, any>} */
    const samples = new Map();
    /** @type {string[]} */
    const asked = [];
    const service = {
        samples,
        asked,
        isAway: false,
        /** Whether the next answer is lost, after the service has done it. */
        losesAnswer: false,
        /** @type {Set<string>} */
        lostPhotos: new Set(),
        async ask(/** @type {string} */ method, /** @type {string} */ path, /** @type {any} */ body, /** @type {any} */ more = {}) {
            await Promise.resolve();
            if (service.isAway) throw new NoAnswer(true);
            asked.push(`${method} ${path.replace(/\?.*/, "")}${more.ifMatch ? ` ${more.ifMatch}` : ""}`);
            const answer = service.answer(method, path, body, more);
            if (!service.losesAnswer) return answer;
            service.losesAnswer = false;
            throw new NoAnswer(false);
        },
        answer(/** @type {string} */ method, /** @type {string} */ path, /** @type {any} */ body, /** @type {any} */ more) {
            if (path === "/field-samples") return { data: { items: [...samples.values()].map((one) => ({ ...one, track: [] })), next: null }, tag: null };
            if (path === "/sites") return { data: { id: `site ${more.headers["Idempotency-Key"]}` }, tag: null };
            const [, , sample, , photo] = path.replace(/\?.*/, "").split("/");
            const had = samples.get(sample);
            if (!had && (method === "GET" || photo !== undefined || more.ifMatch)) throw new Problem(404, { code: "not-found", title: "Not found" }, null);
            if (photo !== undefined) {
                if (service.lostPhotos.delete(photo)) return { data: null, tag: null };
                had.photos = [...had.photos.filter((/** @type {any} */ one) => one.id !== photo), ...method === "PUT" ? [{ id: photo, takenAt: null, bytes: body.byteLength, type: "image/jpeg" }] : []];
                return { data: null, tag: null };
            }
            if (method === "PUT") {
                ok(typeof body.sentAt === "string", "the clock of this device is told");
                const { sentAt: _, ...content } = body;
                if (had && JSON.stringify(had.content) === JSON.stringify(content)) return { data: had, tag: `"v${had.version}"` };
                if (had && more.ifMatch !== `"v${had.version}"`) throw new Problem(412, { code: "precondition-failed" }, null);
                samples.set(sample, { ...content, content, id: sample, version: (had?.version ?? 0) + 1, photos: had?.photos ?? [], author: null });
            }
            const now = samples.get(sample);
            return { data: now, tag: `"v${now.version}"` };
        },
    };
    return service;
}

/** @param {{disk?: ReturnType<typeof createDisk>, rows?: ReturnType<typeof createRows>, service?: ReturnType<typeof createService>}} [given] Of a start before. */
function setting(given = {}) {
    const disk = given.disk ?? createDisk();
    const rows = given.rows ?? createRows();
    const service = given.service ?? createService();
    const account = signal(/** @type {any} */ ({ createdAt: mine }));
    const connection = signal(/** @type {any} */ ({ state: "live", seenAt: 0 }));
    const api = /** @type {any} */ ({
        get: (/** @type {string} */ path, /** @type {any} */ more) => service.ask("GET", path, undefined, more),
        put: (/** @type {string} */ path, /** @type {any} */ body, /** @type {any} */ more) => service.ask("PUT", path, body, more),
        post: (/** @type {string} */ path, /** @type {any} */ body, /** @type {any} */ more) => service.ask("POST", path, body, more),
        delete: (/** @type {string} */ path, /** @type {any} */ more) => service.ask("DELETE", path, undefined, more),
    });
    const outbox = createOutbox({ api, account, rows, later: () => {} });
    const store = /** @type {any} */ ({ account, connection, keep: () => Promise.resolve(), kept: () => Promise.resolve(undefined), keepPage: () => Promise.resolve(), refresh: () => Promise.resolve() });
    /** Whose protocols were given up. @type {string[]} */
    const givenUp = [];
    const makingDisk = /** @type {any} */ ({ clear: (/** @type {string} */ person) => Promise.resolve(givenUp.push(person)) });
    const field = createFieldWork({ api, store, outbox, disk: /** @type {any} */ (disk), makingDisk, language: () => "en" });
    return { givenUp, disk, rows, service, account, connection, outbox, field };
}

/** @param {ReturnType<typeof setting>} parts @param {any} [more] */
async function taken({ field }, more = {}) {
    const begun = await field.begin({ device: "weir", protocol, zone: "Europe/Berlin", utcOffset: 60, ...more });
    field.drafts.change(begun, (draft) => ({ ...draft, values: { "oxygen||": { text: "7.4" } } }));
    return begun;
}
const bytes = (/** @type {number} */ length) => ({ type: "image/jpeg", bytes: new ArrayBuffer(length) });

Deno.test("a sample is kept before it is sent, its photos follow, and it leaves when the service has shown all of it", async () => {
    const parts = setting();
    const { field, disk, service } = parts;
    const sample = await taken(parts);
    equal(disk.drafts.size, 1, "kept as soon as it is begun");
    await field.addPhoto(sample, bytes(3), 0);
    await field.addPhoto(sample, bytes(4), 0);
    const [one, other] = field.drafts.find(sample)?.photos.map((photo) => photo.id) ?? [];
    await settled();
    same(service.asked, [], "nothing goes before it is done");
    await field.finish(sample);
    await settled();
    same(service.asked, [`PUT /field-samples/${sample}`, "GET /field-samples", `PUT /field-samples/${sample}/photos/${one}`, `PUT /field-samples/${sample}/photos/${other}`, `GET /field-samples/${sample}`]);
    same([disk.drafts.size, disk.photos.size, field.unsent()], [0, 0, 0]);
    equal(service.samples.get(sample).values[0].number, 7.4);
});

Deno.test("wherever it is cut off, the next start goes on, and the service has it once", async () => {
    for (let cut = 0; cut < 6; cut += 1) {
        const first = setting();
        const { service } = first;
        const sample = await taken(first);
        await first.field.addPhoto(sample, bytes(3), 0);
        let left = cut;
        const ask = service.ask;
        // From some request on nothing is answered, and of that one the answer alone is lost.
        service.ask = async (method, path, body, more) => {
            if (left === 0) service.isAway = true;
            if (left === 1) service.losesAnswer = true;
            left -= 1;
            return await ask(method, path, body, more);
        };
        await first.field.finish(sample);
        await settled();
        service.ask = ask;
        Object.assign(service, { isAway: false, losesAnswer: false });
        const { field, disk } = setting({ disk: first.disk, rows: first.rows, service });
        await field.ready;
        await field.advance();
        await field.outbox.send();
        await settled();
        same([disk.drafts.size, first.rows.kept.size, service.samples.size, service.samples.get(sample)?.version, service.samples.get(sample)?.photos.length], [0, 0, 1, 1, 1], `${cut}`);
    }
});

Deno.test("a photo that the service took and does not show goes once more", async () => {
    const parts = setting();
    const { field, service, disk } = parts;
    const sample = await taken(parts);
    await field.addPhoto(sample, bytes(3), 0);
    const photo = field.drafts.find(sample)?.photos[0].id ?? "";
    service.lostPhotos.add(photo);
    await field.finish(sample);
    await settled();
    equal(service.asked.filter((one) => one.endsWith(photo)).length, 2);
    equal(disk.drafts.size, 0);
    const other = await taken(parts);
    await field.addPhoto(other, bytes(3), 0);
    const [lost] = field.drafts.find(other)?.photos ?? [];
    const answer = service.answer;
    service.answer = (method, path, body, more) => path.includes(lost.id) ? { data: null, tag: null } : answer(method, path, body, more);
    await field.finish(other);
    await settled();
    equal(service.asked.filter((one) => one.endsWith(lost.id)).length, 2, "not for ever");
    same([field.standings.value.get(other)?.state, disk.photos.size], ["refused", 1], "the person decides, and it is still here");
});

Deno.test("what was changed while the first was on its way follows it, under the version that it brought", async () => {
    const parts = setting();
    const { field, service, connection } = parts;
    const sample = await taken(parts);
    service.isAway = true;
    connection.value = { state: "offline", seenAt: 0 };
    await field.finish(sample);
    await settled();
    equal(field.standings.value.get(sample)?.state, "waiting");
    field.reopen(sample);
    field.drafts.change(sample, (draft) => ({ ...draft, comment: "brown" }));
    await field.finish(sample);
    service.isAway = false;
    connection.value = { state: "live", seenAt: 0 };
    await field.outbox.send();
    await settled();
    same([service.samples.get(sample).version, service.samples.get(sample).comment], [2, "brown"]);
    same(service.asked.filter((one) => one.startsWith("PUT")), [`PUT /field-samples/${sample}`, `PUT /field-samples/${sample} "v1"`]);
});

Deno.test("two phones: the later one is told, chooses, and nothing of either is lost", async () => {
    const parts = setting();
    const { field, service, disk } = parts;
    const sample = await taken(parts);
    await field.finish(sample);
    await settled();
    field.samples.protocolOf = () => Promise.resolve(protocol);
    await field.take(sample);
    field.drafts.change(sample, (draft) => ({ ...draft, values: { "oxygen||": { text: "8.4" } }, comment: "mine" }));
    const had = service.samples.get(sample);
    service.samples.set(sample, { ...had, version: 2, values: [{ field: "oxygen", number: 7.9 }], habitat: "reeds", content: null, photos: [{ id: "theirs", takenAt: null, bytes: 1, type: "image/jpeg" }] });
    await field.finish(sample);
    await settled();
    equal(field.standings.value.get(sample)?.state, "conflict");
    equal(disk.drafts.size, 1);
    const theirs = await field.samples.one(sample);
    same((await field.settle(sample, theirs, {})).map(({ part }) => part), ["value oxygen||"]);
    same(await field.settle(sample, theirs, { "value oxygen||": "mine" }), []);
    await settled();
    const now = service.samples.get(sample);
    same([now.version, now.values[0].number, now.comment, now.habitat, now.photos.length], [3, 8.4, "mine", "reeds", 1]);
    equal(disk.drafts.size, 0);
});

Deno.test("what is refused says why, and a refused photo does not hold the others", async () => {
    const parts = setting();
    const { field, service, outbox } = parts;
    const sample = await taken(parts);
    await field.addPhoto(sample, bytes(3), 0);
    await field.addPhoto(sample, bytes(4), 0);
    const [bad, good] = field.drafts.find(sample)?.photos.map((photo) => photo.id) ?? [];
    const answer = service.answer;
    service.answer = (method, path, body, more) => {
        if (path.includes(bad) && method === "PUT") throw new Problem(422, { title: "No picture" }, null);
        return answer(method, path, body, more);
    };
    await field.finish(sample);
    await settled();
    same([field.standings.value.get(sample)?.state, field.standings.value.get(sample)?.why], ["refused", "No picture"]);
    same(service.samples.get(sample).photos.map((/** @type {any} */ photo) => photo.id), [good]);
    same(outbox.waiting.value, []);
    service.answer = answer;
    await field.retry(sample);
    await settled();
    equal(field.drafts.shown.value.length, 0);
});

Deno.test("a sample that the service has no more is sent anew as another one, with its photos, or thrown away", async () => {
    const parts = setting();
    const { field, disk, service } = parts;
    service.answer = ((answer) => (/** @type {any[]} */ ...asked) => {
        // It goes just before the last look.
        if (asked[0] === "GET" && asked[1].startsWith("/field-samples/")) service.samples.clear();
        return answer(.../** @type {[any, any, any, any]} */ (asked));
    })(service.answer);
    const sample = await taken(parts);
    await field.addPhoto(sample, bytes(3), 0);
    await field.finish(sample);
    await settled();
    same([field.standings.value.get(sample)?.state, field.unsent(), disk.drafts.size], ["gone", 1, 1]);
    field.reopen(sample);
    field.drafts.change(sample, (draft) => ({ ...draft, values: { "oxygen||": { text: "8" } } }));
    await field.renew(sample, "ford");
    await settled();
    const [other] = [...disk.drafts.keys()];
    ok(other !== sample && disk.drafts.size === 1, "as another one");
    const put = service.asked.filter((asked) => asked === `PUT /field-samples/${other}`);
    equal(field.drafts.find(other)?.device, "ford");
    same([put.length, service.asked.filter((asked) => asked.startsWith(`PUT /field-samples/${other}/photos/`)).length], [1, 1], "made anew, with its photo");
    same([field.standings.value.get(other)?.state, disk.photos.size], ["gone", 1], "which is gone again here");
    await field.discard(other);
    same([disk.drafts.size, disk.photos.size], [0, 0]);
});

/**
 * The same, until the app dies: from some call on nothing is done any more, or it is done and nobody hears of it.
 * @template {object} T
 * @param {T} parts
 * @param {{left: number, does: boolean}} life
 * @returns {T}
 */
const mortal = (parts, life) => new Proxy(parts, {
    get(target, name) {
        const found = Reflect.get(target, name);
        if (typeof found !== "function") return found;
        return (/** @type {any[]} */ ...given) => {
            life.left -= 1;
            if (life.left === -1 && life.does) void Reflect.apply(found, target, given);
            return life.left < 0 ? new Promise(() => {}) : Reflect.apply(found, target, given);
        };
    },
});

Deno.test("wherever the app dies while a sample is sent anew, there is one of it, and the service gets one", async () => {
    // A tab that dies leaves its locks; here it would hold them.
    Object.defineProperty(navigator, "locks", { value: undefined, configurable: true });
    for (const does of [false, true]) {
        let isOver = false;
        for (let cut = 0; !isOver; cut += 1) {
            const first = setting();
            const { disk, rows, service } = first;
            // Its place is another person's by now.
            service.answer = ((answer) => (/** @type {any[]} */ ...asked) => {
                if (asked[0] === "PUT" && asked[2]?.device === "weir") throw new Problem(404, { title: "Not found" }, null);
                return answer(.../** @type {[any, any, any, any]} */ (asked));
            })(service.answer);
            const sample = await taken(first);
            await first.field.addPhoto(sample, bytes(3), 0);
            await first.field.finish(sample);
            await settled();
            same([first.field.standings.value.get(sample)?.state, rows.kept.size], ["gone", 1]);
            const life = { left: Infinity, does };
            const second = setting({ disk: mortal(disk, life), rows: mortal(rows, life), service: mortal(service, life) });
            await second.field.ready;
            await settled();
            life.left = cut;
            void second.field.renew(sample, "ford");
            await settled();
            isOver = life.left >= 0;
            const { field, outbox } = setting({ disk, rows, service });
            await field.ready;
            same(field.drafts.shown.value.length <= 1, true, `${cut}: no twin`);
            if (field.drafts.find(sample)) await field.renew(sample, "ford");
            await field.advance();
            await outbox.send();
            await settled();
            const sent = [...service.samples.values()];
            same([disk.drafts.size, disk.photos.size, rows.kept.size, sent.map(({ device, photos }) => [device, photos.length])], [0, 0, 0, [["ford", 1]]], `${cut} ${does}`);
        }
    }
    Reflect.deleteProperty(navigator, "locks");
});

Deno.test("two windows that send one sample anew make one of it", async () => {
    const one = setting();
    const sample = await taken(one);
    one.field.drafts.note(sample, (draft) => ({ ...draft, state: "done", revision: 1, answered: 1, isMissing: true }));
    await one.field.drafts.flush();
    const other = setting({ disk: one.disk });
    await other.field.ready;
    one.service.isAway = other.service.isAway = true;
    await Promise.all([one.field.renew(sample, "weir"), other.field.renew(sample, "ford")]);
    await settled();
    equal(one.disk.drafts.size, 1);
    same(other.field.drafts.shown.value.map(({ device }) => device), ["weir"]);
});

Deno.test("where there is no room a sample that is gone stays as it is", async () => {
    const { field, disk, ...parts } = setting();
    const sample = await taken({ field, disk, ...parts });
    field.drafts.note(sample, (draft) => ({ ...draft, state: "done", revision: 1, answered: 1, isMissing: true }));
    await field.drafts.flush();
    disk.isFull = true;
    await rejects(field.renew(sample, "weir"), { name: "QuotaExceededError" });
    same([field.standings.value.get(sample)?.state, [...disk.drafts.keys()]], ["gone", [sample]]);
});

Deno.test("a photo of a sample that is gone ends nowhere, and tells of the sample", async () => {
    const parts = setting();
    const { field, outbox, service } = parts;
    const sample = await taken(parts);
    await field.addPhoto(sample, bytes(3), 0);
    service.answer = ((answer) => (/** @type {any[]} */ ...asked) => {
        if (asked[1].includes("/photos/")) service.samples.clear();
        return answer(.../** @type {[any, any, any, any]} */ (asked));
    })(service.answer);
    await field.finish(sample);
    await settled();
    equal(field.standings.value.get(sample)?.state, "gone");
    ok(outbox.waiting.value.every(({ about }) => /** @type {any} */ (about).photo === undefined));
});

Deno.test("a new place is made once, under the sample's id, before the sample goes", async () => {
    const parts = setting();
    const { field, service, connection } = parts;
    connection.value = { state: "offline", seenAt: 0 };
    const sample = await taken(parts, { device: null, place: "Ford" });
    await field.finish(sample);
    await settled();
    same(service.asked, []);
    service.losesAnswer = true;
    connection.value = { state: "live", seenAt: 0 };
    await settled();
    await field.advance();
    await settled();
    same(service.asked.slice(0, 3), ["POST /sites", "POST /sites", `PUT /field-samples/${sample}`]);
    equal(service.samples.get(sample).device, `site ${sample}`);
});

Deno.test("a sample in which nothing was said, or nothing was changed, need not be kept", async () => {
    const parts = setting();
    const { field, disk } = parts;
    await field.leave(await field.begin({ device: "weir", protocol, zone: "UTC", utcOffset: 0 }));
    equal(disk.drafts.size, 0);
    const sample = await taken(parts);
    await field.leave(sample);
    same([disk.drafts.size, disk.drafts.get(sample).values], [1, { "oxygen||": { text: "7.4" } }]);
    await field.finish(sample);
    await settled();
    field.samples.protocolOf = () => Promise.resolve(protocol);
    await field.take(sample);
    equal(disk.drafts.size, 1);
    await field.leave(sample);
    equal(disk.drafts.size, 0);
});

Deno.test("what another window has taken up again stays when the service shows all that it had", async () => {
    const parts = setting();
    const { field, service, disk } = parts;
    const sample = await taken(parts);
    const ask = service.ask;
    service.ask = async (method, path, body, more) => {
        const answer = await ask(method, path, body, more);
        // Written by the other window while this one looks; it has not been heard of here.
        if (method === "GET") disk.drafts.set(sample, { ...disk.drafts.get(sample), state: "begun", comment: "brown", edits: 99 });
        return answer;
    };
    await field.finish(sample);
    await settled();
    same([disk.drafts.get(sample)?.comment, disk.drafts.get(sample)?.state], ["brown", "begun"]);
});

Deno.test("what is changed while the sample is withdrawn is not lost", async () => {
    const parts = setting();
    const { field, service, connection, disk } = parts;
    const sample = await taken(parts);
    await field.finish(sample);
    await settled();
    field.samples.protocolOf = () => Promise.resolve(protocol);
    await field.take(sample);
    service.isAway = true;
    connection.value = { state: "offline", seenAt: 0 };
    await field.withdraw({ id: sample, version: 1 });
    field.drafts.change(sample, (draft) => ({ ...draft, comment: "brown" }));
    service.isAway = false;
    await field.outbox.send();
    await settled();
    await field.drafts.flush();
    equal(disk.drafts.get(sample)?.comment, "brown");
});

Deno.test("a sample that is thrown away while those before it go is not sent", async () => {
    const parts = setting();
    const { field, service, outbox } = parts;
    const both = [await taken(parts), await taken(parts)];
    service.isAway = true;
    for (const sample of both) field.drafts.change(sample, (draft) => ({ ...draft, state: "done", revision: 1 }));
    await field.drafts.flush();
    const add = outbox.add;
    outbox.add = async (deed) => {
        await add(deed);
        for (const sample of both) if (!deed.path.includes(sample)) await field.discard(sample);
    };
    await field.advance();
    await settled();
    equal(outbox.waiting.value.length, 1);
});

Deno.test("what a person leaves goes with them: samples, and protocols that were being made", async () => {
    const parts = setting();
    await taken(parts);
    await parts.field.clear(mine);
    same([parts.disk.drafts.size, parts.givenUp], [0, [mine]]);
});

Deno.test("a full disk is told, and what is typed goes on being shown and is written when there is room", async () => {
    const disk = createDisk();
    const drafts = createDrafts({ disk: /** @type {any} */ (disk), owner: () => mine });
    await drafts.add(draftOf());
    disk.isFull = true;
    drafts.change(id, (draft) => ({ ...draft, comment: "one" }));
    await drafts.flush();
    same([drafts.keeping.value, drafts.find(id)?.comment, disk.drafts.get(id).comment], ["unkept", "one", ""]);
    await rejects(drafts.addPhoto(id, photoOf("a"), bytes(3)), { name: "QuotaExceededError" });
    same(drafts.find(id)?.photos, [], "no photo is named that is not there");
    disk.isFull = false;
    drafts.change(id, (draft) => ({ ...draft, comment: "two" }));
    await drafts.flush();
    same([drafts.keeping.value, disk.drafts.get(id).comment], ["kept", "two"]);
});

Deno.test("drafts are one person's, so many, and those of another version are kept", async () => {
    const disk = createDisk();
    let owner = /** @type {string | null} */ (mine);
    const drafts = createDrafts({ disk: /** @type {any} */ (disk), owner: () => owner });
    disk.drafts.set("other", draftOf({ id: "other", account: "somebody" }));
    disk.drafts.set("old", { id: "old", schema: 99, account: mine });
    await drafts.load();
    same([drafts.shown.value.length, drafts.unread.value.map(({ id }) => id)], [0, ["old"]]);
    for (let number = 0; number < 50; number += 1) await drafts.add(draftOf({ id: `${number}` }));
    await rejects(drafts.add(draftOf({ id: "50" })), DraftsFull);
    owner = "somebody";
    drafts.show();
    same(drafts.shown.value.map((draft) => draft.id), ["other"]);
    owner = null;
    await drafts.clear(mine);
    same([...disk.drafts.keys()], ["other", "old"], "another's stay, and what nobody reads");
});

Deno.test("a change of a sample keeps its way, which lists leave out", async () => {
    const parts = setting();
    const { field, service } = parts;
    const sample = await taken(parts);
    field.drafts.change(sample, (draft) => ({ ...draft, track: [[0, 60].map((seconds) => ({ time: Date.parse(draft.begunAt) + 1_000 * seconds, latitude: 46 + seconds / 10_000, longitude: 7, accuracy: 4 }))] }));
    await field.finish(sample);
    await settled();
    field.samples.protocolOf = () => Promise.resolve(protocol);
    await field.samples.read();
    await field.take(sample);
    field.drafts.change(sample, (draft) => ({ ...draft, comment: "brown" }));
    await field.finish(sample);
    await settled();
    const { version, comment, track } = service.samples.get(sample);
    same([version, comment, track], [2, "brown", [[[0, 46, 7, 4], [60, 46.006, 7, 4]]]]);
});

Deno.test("the samples of one place are asked for and kept apart from those of all", async () => {
    /** @type {any[]} */
    const asked = [];
    /** @type {Map<string, any>} */
    const kept = new Map();
    let isAway = false;
    const api = /** @type {any} */ ({
        get(/** @type {string} */ path, /** @type {any} */ { query }) {
            if (isAway) return Promise.reject(new NoAnswer(true));
            asked.push([path, query.device, query.after]);
            return Promise.resolve({ data: { items: [{ id: `${query.device} ${query.after}` }], next: query.after === null ? "more" : null } });
        },
    });
    const keep = (/** @type {string} */ key, /** @type {any} */ value) => Promise.resolve(kept.set(key, value));
    const parts = { api, store: /** @type {any} */ ({ keep, keepPage: keep, kept: (/** @type {string} */ key) => Promise.resolve(kept.get(key)) }), owner: () => mine, language: () => "en" };
    const [all, weir] = [createSamples(parts), createSamples(parts).of("weir")];
    for (const listing of [all, weir]) {
        await listing.read();
        await listing.readMore();
    }
    same(asked, [["/field-samples", null, null], ["/field-samples", null, "more"], ["/field-samples", "weir", null], ["/field-samples", "weir", "more"]]);
    same(weir.listed.value.items?.map((one) => one.id), ["weir null", "weir more"]);
    isAway = true;
    const again = createSamples(parts).of("weir");
    await again.read();
    same([again.listed.value.items?.length, again.listed.value.isOld], [1, true], "as it was last time");
});

Deno.test("two windows lose nothing of each other: what is typed in one, and what the other hears of its way", async () => {
    const disk = createDisk();
    const open = () => createDrafts({ disk: /** @type {any} */ (disk), owner: () => mine, later: () => {} });
    const [form, other] = [open(), open()];
    await form.add(draftOf({ photos: [photoOf("a"), photoOf("b")] }));
    await other.load();
    form.change(id, (draft) => ({ ...draft, comment: "one" }));
    other.note(id, (draft) => ({ ...draft, answered: 1, photos: [photoOf("a", { sent: true }), photoOf("b")] }));
    await form.flush();
    await other.flush();
    form.change(id, (draft) => ({ ...draft, comment: "two" }));
    await form.flush();
    const { comment, answered, photos } = disk.drafts.get(id);
    same([comment, answered, photos.map((/** @type {any} */ photo) => photo.sent)], ["two", 1, [true, false]]);
    await form.load();
    same([form.find(id)?.comment, form.find(id)?.answered], ["two", 1]);
    await form.remove(id);
    other.note(id, (draft) => ({ ...draft, answered: 2 }));
    await other.flush();
    equal(disk.drafts.size, 0, "what was thrown away stays away");
});

Deno.test("ids sort by the time of their making", () => {
    const made = timedUUID(Date.parse("2026-11-30T10:00:00Z"));
    ok(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(made), made);
    equal(parseInt(made.replace("-", "").slice(0, 12), 16), Date.parse("2026-11-30T10:00:00Z"));
    ok(timedUUID(1_000) < timedUUID(1_001));
});
