/** Lives of devices in words: texts of cells, sentences for what asks for a hand, and explanations of a silence. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import { cellsOf, lineOf, needsOf, placesOf, summaryOf } from "../../Services/Gateway/Web/water/life.js";
import { hintText } from "../../Services/Gateway/Web/water/silence-hint.js";
import { findingsOf } from "../../Services/Gateway/Web/water/headline.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { de, en, es, ja } from "./languages.js";

/** @param {"en" | "ja" | "es" | "de"} language */
const wordsIn = (language) => {
    const t = wordsOf(language, { en, ja, es, de }[language]);
    return { t, format: createFormat(language, "UTC", t) };
};
const words = wordsIn("en");

/** @param {Partial<import("../../Services/Gateway/Web/water/life.js").Life>} [said] */
const life = (said = {}) => ({
    device: "pond",
    family: "native",
    version: null,
    isOlder: false,
    newer: null,
    battery: null,
    daysLeft: null,
    signal: null,
    linkQuality: null,
    startedAt: null,
    resetReason: null,
    restartsADay: 0,
    needs: [],
    ...said,
});

Deno.test("what is known stands in its cell, and nothing else", () => {
    same(cellsOf(words, undefined), { battery: "", lasts: "", signal: "", firmware: "", restarts: "" });
    same(cellsOf(words, life({ family: null })).restarts, "");
    const known = life({ battery: 9.4, daysLeft: 4, signal: -88, version: "1.8.0", restartsADay: 5 });
    same(cellsOf(words, known), {
        battery: "9\u00a0%",
        lasts: "lasts about 4 days",
        signal: "\u221288\u00a0dBm",
        firmware: "1.8.0",
        restarts: "about 5 a day",
    });
    equal(cellsOf(words, life({ linkQuality: 120 })).signal, "Link 120 of 255", "which is no dBm");
    equal(cellsOf(words, life({ battery: 0, daysLeft: 0 })).battery, "0\u00a0%");
    equal(lineOf(words, known), "9\u00a0% · lasts about 4 days · \u221288\u00a0dBm · 1.8.0");
    equal(lineOf(words, life({ family: null })), "It has said nothing of itself yet.");
});

Deno.test("each thing that asks for a hand is one sentence", () => {
    same(needsOf(words, life()), []);
    const all = life({ needs: ["battery", "signal", "restarts", "firmware"], daysLeft: 1, restartsADay: 5, isOlder: true, newer: "2.0" });
    same(needsOf(words, all), [
        "The battery lasts about 1 day more.",
        "The signal is weak. Messages may be lost.",
        "It restarts about 5 times a day. Check its power supply.",
        "Another of your devices runs a newer version of this firmware.",
        "Its firmware knows of a newer version: 2.0.",
    ]);
    same(needsOf(words, life({ needs: ["battery", "unknown"] })), ["The battery is low."], "a newer service may name others");
});

Deno.test("all devices are told in two sentences", () => {
    same(summaryOf(words, [life(), life()]), { lead: "Nothing needs a hand", older: "" });
    const old = life({ isOlder: true, needs: ["firmware"] });
    same(summaryOf(words, [old, life({ needs: ["battery"] }), old]), {
        lead: "3 devices need a hand",
        older: "2 devices run an older version than the others of their firmware.",
    });
});

Deno.test("trouble comes first, the rest as it was", () => {
    const lives = ["a", "b", "c", "d"].map((device) => life({ device, needs: device === "c" ? ["battery", "signal"] : device === "d" ? ["signal"] : [] }));
    same([...placesOf(lives).keys()], ["c", "d", "a", "b"]);
});

Deno.test("a silence is explained in each language, and by what is known alone", () => {
    for (const language of /** @type {const} */ (["en", "ja", "es", "de"])) {
        for (const kind of ["battery", "restarts", "signal", "signals"]) {
            const text = hintText(wordsIn(language), { kind, number: -88 });
            equal(text.includes("\u221288") && !text.includes("{"), true, `${language} ${kind}: ${text}`);
        }
    }
    equal(hintText(words, { kind: "battery", number: 4 }), "The battery was at 4 % before it fell silent.");
    same([null, undefined, { kind: "meteor", number: 1 }].map((hint) => hintText(words, hint)), ["", "", ""]);
});

Deno.test("the finding of a silent device has its explanation", () => {
    const silenceHint = { kind: "battery", number: 4 };
    const tank = { id: "pond", name: "Pond", online: false, silentSince: 0, silenceHint, gauges: [] };
    const [finding] = findingsOf(tank, 10_000_000);
    same([finding.kind, finding.hint], ["silentDevice", silenceHint]);
});
