/** A device's clock that is wrong, or may be, in words. */

import { match, strictEqual as equal } from "node:assert/strict";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import { clockWords } from "../../Services/Gateway/Web/screens/device/clock.js";
import { en, es, ja } from "./languages.js";

/** @param {Record<string, any>} catalogue */
function context(language = "en", catalogue = en) {
    const t = wordsOf(language, catalogue);
    return { t, format: createFormat(language, "UTC", t) };
}

Deno.test("how far it is off, and which way", () => {
    equal(clockWords({ lagSeconds: 7_200, steppedAt: null }, context()).value, "2 h behind");
    equal(clockWords({ lagSeconds: -240, steppedAt: null }, context()).value, "4 min ahead");
    equal(clockWords({ lagSeconds: null, steppedAt: null }, context()).value, "May be wrong");
});

for (const [language, catalogue] of Object.entries({ en, es, ja })) {
    Deno.test(`${language} says when it was put back, where that was seen`, () => {
        const words = context(language, catalogue);
        const [none, seen] = [null, "2026-05-01T12:05:00Z"].map((steppedAt) => clockWords({ lagSeconds: 7_200, steppedAt }, words).note);
        equal(seen.endsWith(none), true);
        match(seen.slice(0, -none.length), /12:05|1:05/u);
    });
}
