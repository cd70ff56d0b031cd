import { strictEqual as equal } from "node:assert/strict";
import { wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import * as numbers from "../../Services/Gateway/Web/words/numbers.js";
import { en, es, ja } from "./languages.js";

const { limit, missing, number, parseNumber, shortSymbolOf, withUnit } = numbers;
const [enWords, esWords, jaWords] = [wordsOf("en", en), wordsOf("es", es), wordsOf("ja", ja)];

Deno.test("a number has all digits of its sensor, with the mark of the language", () => {
    equal(number(12, 1, "en"), "12.0");
    equal(number(5.8, 1, "es"), "5,8");
    equal(number(5.8, 1, "es-MX"), "5.8");
    equal(number(1234.5, 1, "es"), "1234,5");
    equal(number(0.25, 2, "ja"), "0.25");
    equal(number(-0.5, 1, "en"), "−0.5");
    equal(number(293.15, 1, "en"), "293.2");
});

Deno.test("a rounded zero has no sign", () => equal(number(-0.04, 1, "en"), "0.0"));

Deno.test("what is missing is a dash, never a zero", () => {
    for (const nothing of [null, undefined, NaN, Infinity]) equal(number(nothing, 1, "en"), missing);
    equal(limit(null, 1, "en"), missing);
    equal(limit(0, 2, "en"), "0");
});

Deno.test("a unit stands behind a space that does not break, but a degree sign in Japanese directly", () => {
    equal(withUnit("5.8", "ppm", enWords), "5.8\u00a0ppm");
    equal(withUnit("20,3", "C", esWords), "20,3\u00a0°C");
    equal(withUnit("20.3", "C", jaWords), "20.3°C");
    equal(withUnit("8.1", "pH", enWords), "8.1");
    equal(withUnit("10.0", "mg/L NO3-N", enWords), "10.0\u00a0mg/L NO₃-N");
    equal(withUnit("250", "umol/L", esWords), "250\u00a0µmol/L");
    equal(withUnit("8.0", "dKH", jaWords), "8.0\u00a0dKH");
    equal(withUnit(missing, "ppm", enWords), missing);
    // The catalogue says how, whatever the language.
    const fr = wordsOf("fr", { language: { quantity: "{number} {unit}", degrees: "{unit}\u00a0{number}" } });
    equal(withUnit("20", "C", fr), "°C\u00a020");
});

Deno.test("a typed number has a comma or a point", () => {
    equal(parseNumber("7,5"), 7.5);
    equal(parseNumber("7.5"), 7.5);
    equal(parseNumber(" ７．５ "), 7.5);
    equal(parseNumber("-0,5"), -0.5);
    equal(parseNumber("−2"), -2);
    equal(parseNumber(".5"), 0.5);
    equal(parseNumber("0"), 0);
});

Deno.test("what is no number is null, not 0", () => {
    for (const text of ["", " ", "-", ",", "1.234,5", "1e3", "7 5", "abc", "0x10", "Infinity"]) {
        equal(parseNumber(text), null, text);
    }
});

Deno.test("what stands in a ring has six characters at most", () => {
    const units = [
        ...["C", "F", "K", "pH", "ppm", "mg/L", "mg/L NH3", "mg/L NH3-N", "mg/L NO3-N", "mg/L NO2-N", "dKH", "dGH"],
        ...["mmol/L", "meq/L", "fH", "eH", "gpg", "mL/L", "umol/L", "ppt", "PSU", "SG", "mS/cm"],
    ];
    for (const unit of units) equal(shortSymbolOf(unit).length <= 6, true, unit);
    equal(shortSymbolOf("mg/L NO3-N"), "NO₃-N");
    equal(shortSymbolOf("C"), "°C");
});
