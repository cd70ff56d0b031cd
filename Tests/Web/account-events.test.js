/** What happened on the account, in each language. */

import { notStrictEqual as differs, strictEqual as equal } from "node:assert/strict";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { sentenceOf } from "../../Services/Gateway/Web/screens/account/events.js";

const source = await Deno.readTextFile(new URL("../../Shared/Store/Sessions/AccountEvents.swift", import.meta.url));
/** As the service names them. */
const kinds = [...source.slice(source.indexOf("enum Kind"), source.indexOf("package var number")).matchAll(/case ([\w, ]+)/g)]
    .flatMap((match) => match[1].split(", "));

/** @param {string} kind */
const event = (kind) => ({ id: 1, kind, happenedAt: "2026-05-01T12:00:00Z", subject: "Koi", network: null, session: null, isThis: false });

for (const language of /** @type {const} */ (["en", "ja", "es"])) {
    Deno.test(`every event has its sentence in ${language}`, async () => {
        const t = await loadWords(language);
        equal(kinds.length, 14);
        for (const kind of kinds) differs(sentenceOf(event(kind), t), "Koi", kind);
        equal(new Set(kinds.map((kind) => sentenceOf(event(kind), t))).size, kinds.length);
        equal(sentenceOf(event("fromTheFuture"), t), "Koi");
    });
}
