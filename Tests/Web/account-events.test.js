/** What happened on the account, in each language. */

import { deepStrictEqual as same, notStrictEqual as differs, strictEqual as equal } from "node:assert/strict";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { newsText, readUnseen, sentenceOf } from "../../Services/Gateway/Web/app/happened.js";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";

const source = await Deno.readTextFile(new URL("../../Services/Gateway/Library/Accounts/Statements/ListAccountEvents.swift", import.meta.url));
/** As the service names them. */
const kinds = [...source.slice(source.indexOf("enum Kind"), source.indexOf("var number")).matchAll(/case ([\w, ]+)/g)]
    .flatMap((match) => match[1].split(", "));

/** @param {string} kind */
const event = (kind) => ({ id: 1, kind, happenedAt: "2026-05-01T12:00:00Z", subject: "Koi", network: null, session: null, isThis: false });

for (const language of /** @type {const} */ (["en", "ja", "es", "de"])) {
    Deno.test(`every event has its sentence in ${language}`, async () => {
        const t = await loadWords(language);
        equal(kinds.length, 30);
        for (const kind of kinds) differs(sentenceOf(event(kind), t), "Koi", kind);
        equal(new Set(kinds.map((kind) => sentenceOf(event(kind), t))).size, kinds.length);
        equal(sentenceOf(event("fromTheFuture"), t), "Koi");
    });
}

/**
 * What an installation reads, one answer after the other, of which the numbers alone are told.
 * @param {number | null} seen
 * @param {...{id: number, isThis?: boolean}[]} answers The newest first.
 */
async function readings(seen, ...answers) {
    const preferences = { seenEvent: seen };
    const read = [];
    for (const items of answers) {
        const api = { get: () => Promise.resolve({ data: { items: items.map((one) => ({ ...event("signedIn"), ...one })) } }) };
        read.push((await readUnseen(/** @type {any} */ ({ api, preferences }))).map(({ id }) => id));
    }
    return read;
}

Deno.test("what was not done here is news until the person has looked", async () => {
    same(await readings(3, [{ id: 5 }, { id: 4 }, { id: 3 }], [{ id: 5 }, { id: 4 }, { id: 3 }]), [[5, 4], [5, 4]]);
    same(await readings(5, [{ id: 5 }, { id: 4 }]), [[]]);
});

Deno.test("what happened before the first look is no news", async () => {
    same(await readings(null, [{ id: 5 }, { id: 4 }], [{ id: 6 }, { id: 5 }]), [[], [6]]);
    same(await readings(null, []), [[]]);
});

Deno.test("what was done here is no news in a later session", async () => {
    same(await readings(3, [{ id: 4, isThis: true }, { id: 3 }], [{ id: 5, isThis: true }, { id: 4 }, { id: 3 }]), [[], []]);
});

Deno.test("of a form that was chosen its name is told, of a newer one that there is another", async () => {
    const t = await loadWords("en");
    const told = (/** @type {string | null} */ detail) => sentenceOf({ kind: "endpointFormChanged", subject: "farm.example", detail }, t);
    same([told("cloudEvents"), told("template"), told("telepathy")], [
        "Another message format for farm.example: CloudEvents",
        "Another message format for farm.example: A text of your own",
        "Another message format for farm.example: Another form",
    ]);
});

Deno.test("one thing is told in words, several are counted", async () => {
    const t = await loadWords("en");
    const format = createFormat("en", "UTC", t);
    equal(newsText([], { t, format }), null);
    const text = newsText([{ ...event("signedIn"), subject: "Mozilla/5.0 (Windows NT 10.0) Firefox/140.0", clientName: "Firefox · Windows" }], { t, format });
    equal(/^Signed in: Firefox · Windows \(.*12:00.*\)\. Do you recognise this\?$/.test(text ?? ""), true, text ?? "");
    equal(newsText([event("signedIn"), event("tokenMade")], { t, format }), "2 things happened since you looked");
});
