/** The days of a rhythm: the check values of RFC 5545's implementations, and how it is said. */

import { deepStrictEqual as same } from "node:assert/strict";
import { wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import { dateOf, dayAt, dayOf, instantAt, weekdayOf } from "../../Services/Gateway/Web/water/civil.js";
import { datesOf, rhythmText } from "../../Services/Gateway/Web/water/rhythm.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { en, es, ja } from "./languages.js";

/** @param {any} rhythm @param {string} start @param {number} count */
const short = (rhythm, start, count) => datesOf(rhythm, start, count).map((date) => date.slice(5)).join(" ");

Deno.test("dates are those that dateutil and libical agree on", () => {
    const cases = /** @type {const} */ ([
        [{ every: "month", interval: 1, day: 31 }, "2027-01-31", 5, "01-31 03-31 05-31 07-31 08-31"],
        [{ every: "month", interval: 1, day: -1 }, "2027-01-31", 4, "01-31 02-28 03-31 04-30"],
        [{ every: "week", interval: 2, days: ["tuesday", "sunday"] }, "1997-08-05", 4, "08-05 08-10 08-19 08-24"],
        [{ every: "month", interval: 1, weekday: "saturday", which: 2 }, "2027-01-09", 3, "01-09 02-13 03-13"],
        [{ every: "month", interval: 1, weekday: "friday", which: -1 }, "2027-01-01", 3, "01-29 02-26 03-26"],
        [{ every: "day", interval: 10 }, "2027-03-05", 4, "03-05 03-15 03-25 04-04"],
        [{ every: "week", interval: 1, days: ["monday"] }, "2027-01-01", 3, "01-04 01-11 01-18"],
        [{ afterDone: 14 }, "2027-01-01", 3, "01-01"],
    ]);
    for (const [rhythm, start, count, expected] of cases) same(short(rhythm, start, count), expected);
    same(datesOf({ every: "year", interval: 1 }, "2024-02-29", 3), ["2024-02-29", "2028-02-29", "2032-02-29"]);
});

Deno.test("a rhythm ends, and is looked at from any day", () => {
    const days = /** @type {const} */ ({ every: "day", interval: 3 });
    same(datesOf({ ...days, until: "2027-03-10" }, "2027-03-05", 9), ["2027-03-05", "2027-03-08"]);
    same(datesOf({ ...days, count: 3 }, "2027-03-05", 9, "2027-03-07"), ["2027-03-08", "2027-03-11"]);
    same(datesOf(days, "2027-03-05", 2, "2028-01-01"), ["2028-01-02", "2028-01-05"]);
});

Deno.test("a day is the wall's, and an hour that is skipped is an hour later", () => {
    same(dateOf(dayOf("2027-03-05T18:00")), "2027-03-05");
    same(weekdayOf(dayOf("2027-03-05")), 5);
    same(dateOf(dayAt(Date.parse("2027-03-05T23:30:00Z"), "Europe/Vienna")), "2027-03-06");
    const instant = (/** @type {string} */ date, /** @type {string} */ clock, /** @type {string} */ zone) => new Date(instantAt(dayOf(date), clock, zone)).toISOString();
    same(instant("2027-03-14", "02:30", "America/New_York"), "2027-03-14T07:30:00.000Z");
    same(instant("2027-03-15", "02:30", "America/New_York"), "2027-03-15T06:30:00.000Z");
    same(instant("2026-11-01", "01:30", "America/New_York"), "2026-11-01T05:30:00.000Z");
    same(instant("2026-10-25", "01:30", "Europe/London"), "2026-10-25T00:30:00.000Z");
});

Deno.test("a rhythm is said in a few words", () => {
    const said = (/** @type {string} */ language, /** @type {any} */ catalogue) => {
        const t = wordsOf(language, catalogue);
        const voice = { t, format: createFormat(language, "UTC", t) };
        return (/** @type {any} */ rhythm) => rhythmText(voice, rhythm);
    };
    const english = said("en", en);
    const week = (/** @type {string[]} */ days, interval = 1) => ({ every: "week", interval, days });
    const all = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    same(
        [
            { every: "day", interval: 1 },
            { every: "day", interval: 30 },
            week(["wednesday"]),
            week(["monday", "thursday"]),
            week(all),
            week(["saturday"], 2),
            { every: "month", interval: 1, day: 15 },
            { every: "month", interval: 3, day: -1 },
            { every: "month", interval: 1, weekday: "saturday", which: -1 },
            { every: "year", interval: 1 },
            { afterDone: 14 },
        ].map(english),
        [
            "every day",
            "every 30 days",
            "every Wednesday",
            "Mon · Thu",
            "every day",
            "every 2 weeks: Saturday",
            "every month, day 15",
            "every 3 months, last day",
            "every month, last Saturday",
            "every year",
            "14 days after it was done",
        ],
    );
    same([said("ja", ja)(week(["wednesday"])), said("es", es)({ afterDone: 14 })], ["毎週水曜日", "14 días después de hacerlo"]);
});
