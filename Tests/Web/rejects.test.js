/** What a device sent and could not be read, in the languages of the app. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { countText, reasonText, unseen } from "../../Services/Gateway/Web/water/rejects.js";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { languages } from "./languages.js";

const noon = Date.parse("2026-05-01T12:00:00Z");

/** @param {import("../../Services/Gateway/Web/lang/index.js").Language} language */
async function context(language) {
    const t = await loadWords(language);
    return { t, format: createFormat(language, "UTC", t) };
}

/**
 * @param {string} reason
 * @param {string} [subject]
 */
const reject = (reason, subject = "") => ({ reason, subject });

Deno.test("a reason names the parameter, or the name that is none", async () => {
    const english = await context("en");
    equal(reasonText(english, reject("unknownParameter", "po4")), "no parameter called po4");
    equal(reasonText(english, reject("unknownParameter")), "many names that are no parameters");
    equal(reasonText(english, reject("wrongType", "ph")), "pH is no number");
    equal(reasonText(english, reject("badTime")), "the time is not understood");
    equal(reasonText(english, reject("a later version's", "ph")), "it is not understood");
    equal(reasonText(await context("ja"), reject("unknownParameter", "po4")), "「po4」という測定項目はありません");
    equal(reasonText(await context("es"), reject("unknownParameter", "po4")), "ningún parámetro se llama po4");
});

Deno.test("a device's word is no key and no place of a sentence", async () => {
    const english = await context("en");
    equal(reasonText(english, reject("unknownParameter", "{name}{count}")), "no parameter called {name}{count}");
    equal(reasonText(english, reject("todo")), "it is not understood");
    equal(reasonText(english, reject("unknownParameter", "ph_full.x")), "no parameter called ph_full.x");
});

Deno.test("each reason of the service has words in each language", async () => {
    const source = await Deno.readTextFile(new URL("../../Services/Ingestor/Library/Payload/RejectReason.swift", import.meta.url));
    const reasons = [...source.matchAll(/^ {4}case (\w+)$/gm)].map(([, name]) => name);
    equal(reasons.length > 12, true);
    for (const language of Object.keys(languages)) {
        const { t } = await context(language);
        // Of these two no device is known.
        for (const reason of reasons.filter((name) => name !== "topic" && name !== "unknownDevice")) {
            equal(t.has(`rejects.reason_${reason}`), true, `${language}: ${reason}`);
            equal(/\{/.test(reasonText({ t }, reject(reason))), false, `${language}: ${reason}`);
        }
    }
});

Deno.test("only what began today is of today", async () => {
    const english = await context("en");
    const of = (/** @type {string} */ firstAt, messages = 3) => countText(english, { firstAt, messages }, noon);
    equal(of("2026-05-01T00:00:00Z"), "3 messages today");
    equal(of("2026-05-01T09:00:00Z", 1), "1 message today");
    equal(of("2026-04-30T23:59:59Z").startsWith("3 messages since "), true);
    const tokyo = { ...english, format: createFormat("en", "Asia/Tokyo", english.t) };
    equal(countText(tokyo, { firstAt: "2026-05-01T14:00:00Z", messages: 3 }, Date.parse("2026-05-01T15:30:00Z")).includes("since"), true);
});

Deno.test("a notice stands until somebody has looked", () => {
    const unreadable = { reason: "unknownParameter", subject: "po4", since: "2026-05-01T12:00:00Z" };
    /** @type {import("../../Services/Gateway/Web/water/headline.js").Tank} */
    const tank = { id: "pond", name: "Pond", online: true, silentSince: null, gauges: [], unreadable };
    same(unseen(tank, null), unreadable);
    same(unseen(tank, "2026-05-01T11:59:59.5Z"), unreadable);
    equal(unseen(tank, "2026-05-01T12:00:00.000Z"), null);
    equal(unseen({ ...tank, unreadable: null }, null), null);
    equal(unseen(null, null), null);
});
