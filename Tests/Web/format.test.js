import { strictEqual as equal } from "node:assert/strict";
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
