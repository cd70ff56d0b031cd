/** Devices that are made: the list, the file and the labels, and what is kept of keys while they are made. */

import { deepStrictEqual as same, doesNotMatch, match, ok, rejects, strictEqual as equal } from "node:assert/strict";
import { createEnrolment, isAtStake } from "../../Services/Gateway/Web/app/enrolment.js";
import { wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import { addressOf, columns, counted, faultText, fileOf, firmwares, paperOf, sheetsOf, stateText, wishedOf } from "../../Services/Gateway/Web/water/enrolment.js";
import { codeIn } from "../../Services/Gateway/Web/words/claim-code.js";
import { csvOf } from "../../Services/Gateway/Web/words/csv.js";
import { Problem } from "../../Services/Gateway/Web/words/problem.js";
import { seal } from "./sealing.js";
import { en, wholes } from "./languages.js";

const t = wordsOf("en", en);
const opened = { id: "pond-1", user: "pond-1", password: `-${"k".repeat(42)}`, host: "s3.mqtt.example.org", port: 8883, tls: true, httpUrl: null, claimCode: null };

/** @param {Partial<import("../../Services/Gateway/Web/water/enrolment.js").Made>} [change] */
const madeOf = (change = {}) => ({ id: "pond-1", name: "Pond", firmware: null, state: /** @type {const} */ ("made"), reason: null, opened, isUnreadable: false, ...change });

Deno.test("what would be a formula in a spreadsheet is none in a file", () => {
    for (const text of ["=1+1", '=HYPERLINK("http://evil.example","x")', "+1-1", "-1+1|cmd", "@SUM(A1)", "\t=1", "\r=1", "-A1*2"]) {
        const [line] = csvOf([[text]]).slice(1).split("\r\n");
        match(line, /^"?'/, text);
    }
    // Keys are letters, digits, - and _ alone: that calls nothing, and a key with something before it is another.
    equal(csvOf([[opened.password]]), `\ufeff${opened.password}\r\n`);
    equal(csvOf([["a", null, ""]]), "\ufeffa,,\r\n");
    equal(csvOf([['say "a", b', "two\nlines", " edge"]]), '\ufeff"say ""a"", b","two\nlines"," edge"\r\n');
});

Deno.test("a file tells all that is shown once, and nothing of what was not made", () => {
    const lines = fileOf([madeOf(), madeOf({ id: "pond-2", name: "=1", state: "refused", reason: "full", opened: null })]).trimEnd().split("\r\n");
    equal(lines[0], "\ufeffhardware_id,name,firmware,state,user,password,claim_code,host,port,tls,http_url");
    equal(lines[1], `pond-1,Pond,,made,pond-1,${opened.password},,s3.mqtt.example.org,8883,true,`);
    equal(lines[2], "pond-2,'=1,,refused,,,,,,,");
});

Deno.test("of a list only what is nobody's is asked for, and nothing that it does not say", () => {
    const line = { line: 2, id: "a", name: null, firmware: null, preset: null, state: /** @type {const} */ ("new") };
    const devices = [line, { ...line, id: "b", state: /** @type {const} */ ("known") }, { ...line, id: "c", state: /** @type {const} */ ("taken") }, { ...line, id: "d", name: "D", firmware: "esphome", preset: "koi" }];
    same(wishedOf({ devices, faults: [] }), [{ id: "a" }, { id: "d", name: "D", firmware: "esphome", preset: "koi" }]);
    equal(columns[0], "hardware_id");
});

Deno.test("a number of devices has names with numbers, one has its own, none has none", () => {
    same(counted({ count: 2, name: "Hatchery", firmware: "esphome", preset: "" }), [{ name: "Hatchery 1", firmware: "esphome" }, { name: "Hatchery 2", firmware: "esphome" }]);
    same(counted({ count: 1, name: "Pond", firmware: "", preset: "koi" }), [{ name: "Pond", preset: "koi" }]);
    same(counted({ count: 3, name: "", firmware: "", preset: "" }), [{}, {}, {}]);
});

Deno.test("every fault, state, reason and firmware has words in every language, and one of a newer service its code", () => {
    const faults = ["empty", "columns", "column-missing", "column-twice", "cells", "quote", "id", "id-missing", "id-twice", "name", "firmware", "preset", "too-many"];
    for (const [language, catalogue] of Object.entries(wholes)) {
        const voice = { t: wordsOf(language, catalogue) };
        for (const code of faults) doesNotMatch(faultText(voice, { line: 2, column: null, code, detail: "x" }), new RegExp(`^${code}$|\\{`), `${language} ${code}`);
        for (const reason of ["taken", "account", "full", "tooMany", "withdrawn", "late"]) ok(voice.t.has(`enrol.reason_${reason}`), reason);
        for (const state of ["waiting", "made", "known"]) ok(voice.t.has(`enrol.state_${state}`), state);
        for (const firmware of firmwares) ok(voice.t.has(`enrol.firmware_${firmware}`), firmware);
    }
    equal(faultText({ t }, { line: 2, column: "id", code: "id-twice", detail: "7" }), "The same id stands in line 7.");
    equal(faultText({ t }, { line: 2, column: null, code: "newer", detail: null }), "newer");
    equal(stateText({ t }, madeOf({ state: "refused", reason: "newer", opened: null })), "newer");
    equal(stateText({ t }, madeOf({ state: "refused", reason: null, opened: null })), "refused");
    match(stateText({ t }, madeOf({ isUnreadable: true })), /could not be read/);
});

Deno.test("labels fill sheets of the paper of one's country", () => {
    same([["de-AT"], ["en-US", "de"], ["es-MX"], ["ja"], ["en", "fr-CA"], []].map(paperOf), ["a4", "letter", "letter", "a4", "letter", "a4"]);
    same([0, 1, 24, 25, 1000].map((count) => sheetsOf(Array(count).fill(0), "a4").length), [0, 1, 1, 2, 42]);
    same(sheetsOf([...Array(31).keys()], "letter").map((sheet) => sheet.length), [30, 1]);
});

Deno.test("a label's address links what waits for its owner, and shows what has one", () => {
    const waiting = addressOf("https://water.example.org", { id: "pond-1", claimCode: "7KQ2-M8XD-0R4T" });
    equal(codeIn(waiting), "7KQ2-M8XD-0R4T");
    equal(new URL(waiting).pathname, "/devices/link");
    equal(addressOf("https://water.example.org", { id: "a/b", claimCode: null }), "https://water.example.org/devices/a%2Fb");
});

/**
 * A service that makes so many of the devices between two looks, and seals keys for whoever asked.
 * @param {{pace?: number, spoils?: string[]}} [wish]
 */
function service({ pace = 1, spoils = [] } = {}) {
    /** @type {string[]} */
    const asked = [];
    /** @type {any} */
    let batch = null;
    let isAway = false;
    const other = { public: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", auth: "BTBZMqHH6r4Tts7J_aSIgg" };
    /** @type {any} */
    const api = {
        /** @param {string} path */
        async get(path) {
            asked.push(`GET ${path}`);
            if (path === "/enrolment") return { data: { state: "ready", allowed: true, left: 5, most: 1000 } };
            if (isAway) throw new TypeError("no answer");
            if (!batch) throw new Problem(404, { title: "None" }, null);
            for (const device of batch.devices.filter((/** @type {any} */ { state }) => state === "waiting").slice(0, pace)) {
                device.state = "made";
                device.sealed = await seal(JSON.stringify({ ...opened, id: device.id }), spoils.includes(device.id) ? other : batch.key);
            }
            const done = batch.devices.filter((/** @type {any} */ { state }) => state !== "waiting").length;
            return { data: { kind: "make", state: done === batch.devices.length ? "done" : "waiting", done, of: batch.devices.length, devices: structuredClone(batch.devices) } };
        },
        /** @param {string} path @param {any} body @param {any} how */
        post(path, body, how) {
            asked.push(`POST ${path}`);
            same(how, { once: true });
            const wished = body.devices ?? [{ id: path.split("/")[2] }];
            batch = { key: body.key, devices: wished.map((/** @type {any} */ { id, name, firmware = null }) => ({ id, name: name ?? id, firmware, state: "waiting", reason: null, sealed: null })) };
            return Promise.resolve({ data: { batch: "b1" } });
        },
        /** @param {string} path */
        delete(path) {
            asked.push(`DELETE ${path}`);
            batch = null;
            return Promise.resolve({});
        },
    };
    const account = signal(/** @type {any} */ ({ name: "Mika" }));
    /** @type {(() => void)[]} */
    const waiting = [];
    const enrolment = createEnrolment({ api, store: { account } }, () => new Promise((resolve) => waiting.push(resolve)));
    return {
        api, account, asked, enrolment,
        away: (/** @type {boolean} */ is) => isAway = is,
        call: () => batch = null,
        /** Lets time pass until something holds. @param {() => boolean} fact */
        async until(fact) {
            for (let tries = 0; tries < 2_000 && !fact(); tries += 1) {
                waiting.shift()?.();
                await new Promise((resolve) => setTimeout(resolve));
            }
            ok(fact());
        },
    };
}

Deno.test("keys are opened as they come, each once, and what was sealed is deleted when all are here", async () => {
    const { enrolment, asked, until } = service({ spoils: ["b"] });
    await enrolment.make([{ id: "a", name: "A" }, { id: "b" }, { id: "c", firmware: "esphome" }], true);
    await until(() => enrolment.batch.value?.done === 1);
    ok(isAtStake(enrolment.batch.value));
    const [first] = enrolment.batch.value?.devices ?? [];
    equal(first.opened?.password, opened.password);
    await until(() => asked.includes("DELETE /enrolment/batches/b1"));
    const batch = enrolment.batch.value;
    equal(batch?.isDone, true);
    same(batch?.devices.map(({ id, name, firmware, isUnreadable }) => [id, name, firmware, isUnreadable]), [["a", "A", null, false], ["b", "b", null, true], ["c", "c", "esphome", false]]);
    equal(batch?.devices[0].opened, first.opened);
    equal(isAtStake(batch), true);
    enrolment.saved();
    equal(isAtStake(enrolment.batch.value), false);
    enrolment.end();
    equal(enrolment.batch.value, null);
});

Deno.test("an answer that does not come is waited for; what is gone is told, and what was opened stays", async () => {
    const { enrolment, away, call, until, asked } = service();
    await enrolment.make([{ id: "a" }, { id: "b" }, { id: "c" }], false);
    await until(() => enrolment.batch.value?.done === 1);
    away(true);
    await until(() => enrolment.batch.value?.trouble instanceof TypeError);
    equal(enrolment.batch.value?.done, 1);
    away(false);
    await until(() => enrolment.batch.value?.done === 2 && enrolment.batch.value.trouble === null);
    call();
    await until(() => enrolment.batch.value?.isGone === true);
    equal(enrolment.batch.value?.devices.filter(({ opened }) => opened).length, 2);
    ok(isAtStake(enrolment.batch.value));
    const looks = asked.length;
    await new Promise((resolve) => setTimeout(resolve, 5));
    equal(asked.length, looks, "nobody asks for what is gone");
});

Deno.test("whoever signs out takes the keys along, and a later answer brings none", async () => {
    const { enrolment, account, until, asked } = service();
    await enrolment.read();
    await enrolment.make([{ id: "a" }, { id: "b" }], true);
    await until(() => enrolment.batch.value?.done === 1);
    account.value = null;
    equal(enrolment.batch.value, null);
    equal(enrolment.standing.value, null);
    const before = asked.length;
    await until(() => asked.length > before);
    await new Promise((resolve) => setTimeout(resolve, 5));
    equal(enrolment.batch.value, null);
    ok(!asked.some((one) => one.startsWith("DELETE")));
});

Deno.test("what was not begun throws, and nothing is at stake", async () => {
    const { enrolment, api } = service();
    api.post = () => Promise.reject(new Problem(503, { title: "Silent", code: "enroller-silent" }, null));
    await rejects(enrolment.make([{ id: "a" }], true), /Silent/);
    equal(isAtStake(enrolment.batch.value), false);
});

Deno.test("a new key is told to whoever asked, and to nobody once they looked away", async () => {
    const one = service();
    /** @type {any} */
    let told = null;
    await one.enrolment.rotate("pond-1", (batch) => (told = batch, true));
    await one.until(() => told?.isDone === true);
    equal(told.devices[0].opened.password, opened.password);
    equal(one.enrolment.batch.value, null, "it is no part of what is made");
    const other = service({ pace: 0 });
    await other.enrolment.rotate("pond-1", () => false);
    await other.until(() => other.asked.length === 2);
    await new Promise((resolve) => setTimeout(resolve, 5));
    same(other.asked, ["POST /devices/pond-1/key", "GET /enrolment/batches/b1"]);
});
