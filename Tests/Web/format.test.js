import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";

const at = (/** @type {string} */ text) => Date.parse(text);

Deno.test("minutes after midnight a time of the evening before needs no date, hours after it does", async () => {
    for (const language of /** @type {const} */ (["en", "ja", "es"])) {
        const format = createFormat(language, "Europe/Vienna", await loadWords(language));
        const evening = at("2026-05-01T21:50:00Z");
        equal(format.moment(evening, at("2026-05-01T22:05:00Z")), "23:50");
        equal(format.moment(at("2026-05-01T22:05:00Z"), evening), language === "en" ? "00:05" : "0:05");
        equal(format.moment(evening, at("2026-05-02T05:00:00Z")).length > 5, true);
        equal(format.moment(at("2026-05-01T05:00:00Z"), evening), language === "en" ? "07:00" : "7:00");
    }
});

Deno.test("numbers of five digits are grouped, shorter ones never", async () => {
    for (const [language, text] of /** @type {const} */ ([["en", "53,000"], ["ja", "53,000"], ["es", "53.000"]])) {
        const format = createFormat(language, "UTC", await loadWords(language));
        equal(format.number(53_000, 0), text);
        equal(format.number(-53_000, 0), `−${text}`);
        equal(format.number(9_999, 0), "9999");
        equal(format.limit(53_000, 0), text);
    }
});

Deno.test("a time in a sentence is written by the language's rule: one o'clock is singular in Spanish", async () => {
    const now = at("2026-05-03T03:00:00Z");
    const [one, ten, before] = ["2026-05-03T01:05:00Z", "2026-05-03T10:05:00Z", "2026-05-01T01:05:00Z"].map(at);
    const expected = {
        en: ["01:05", "10:05", "1 May, 01:05", "at 01:05", "on 1 May, 01:05", "01:05"],
        de: ["01:05 Uhr", "10:05 Uhr", "1. Mai, 01:05 Uhr", "um 01:05 Uhr", "am 1. Mai, 01:05 Uhr", "01:05"],
        es: ["la 1:05", "las 10:05", "el 1 de mayo a la 1:05", "a la 1:05", "el 1 de mayo a la 1:05", "1:05"],
        ja: ["1:05", "10:05", "5月1日1:05", "1:05", "5月1日1:05", "1:05"],
    };
    for (const [language, texts] of Object.entries(expected)) {
        const format = createFormat(language, "UTC", await loadWords(language));
        const found = [format.placed(one, now), format.placed(ten, now), format.placed(before, now), format.at(one, now), format.at(before, now)];
        same([...found, format.clock(one)], texts, language);
    }
});
