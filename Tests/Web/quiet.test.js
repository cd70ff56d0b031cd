/** Quiet hours as times of day: the steps of their ends, the days on which they begin, and what is said of them. */

import { deepStrictEqual as same, ok, strictEqual as equal } from "node:assert/strict";
import { arc, minutesAt, pointOn } from "../../Services/Gateway/Web/drawing/dial.js";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import {
    cityOf,
    daysOf,
    daysWith,
    isPast,
    lengthOf,
    minutesOf,
    ringing,
    snapped,
    spanOf,
    spanText,
    standingText,
    step,
    stepped,
    timeOf,
    turned,
    usual,
    waitingText,
} from "../../Services/Gateway/Web/water/quiet.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";

const at = (/** @type {string} */ text) => minutesOf(text) ?? NaN;
const now = Date.parse("2026-11-23T21:00:00Z");

/** @param {Partial<import("../../Services/Gateway/Web/water/quiet.js").Quiet>} [more] */
const quiet = (more = {}) => ({ hours: usual, timeZone: "Europe/Vienna", quietUntil: null, waiting: 0, waitingUntil: null, ...more });

Deno.test("a time of day is a count of minutes, and nothing else is one", () => {
    for (let minutes = 0; minutes < 1440; minutes += 1) equal(minutesOf(timeOf(minutes)), minutes);
    same(["00:00", "07:05", "23:59", "22:30:00"].map(minutesOf), [0, 425, 1439, 1350]);
    same(["", "24:00", "7:00", "12:60", "noon"].map(minutesOf), [null, null, null, null, null]);
});

Deno.test("quiet hours go over midnight", () => {
    equal(lengthOf(spanOf(usual)), 510);
    equal(lengthOf({ from: at("13:00"), until: at("15:00") }), 120);
    equal(lengthOf({ from: at("00:00"), until: at("23:45") }), 1425);
});

Deno.test("a key goes to the next quarter of an hour, round midnight too", () => {
    same([["22:30", 1], ["22:30", -1], ["23:45", 1], ["00:00", -1], ["22:37", 1], ["22:37", -1], ["22:37", -4], ["23:30", 4]].map(([time, count]) => timeOf(stepped(at(String(time)), Number(count)))), [
        "22:45",
        "22:15",
        "00:00",
        "23:45",
        "22:45",
        "22:30",
        "21:45",
        "00:30",
    ]);
    same([0, 7, 8, 1439].map((minutes) => timeOf(snapped(minutes))), ["00:00", "00:00", "00:15", "00:00"]);
});

Deno.test("no end passes the other, however it is turned", () => {
    const night = spanOf(usual);
    same(turned(night, "until", at("07:15")), { from: night.from, until: at("07:15") });
    same(turned(night, "from", at("00:15")), { from: at("00:15"), until: night.until });
    // The other end, and beyond it.
    for (const end of /** @type {const} */ (["from", "until"])) {
        const close = { from: at("06:45"), until: at("07:00") };
        const wide = { from: at("07:00"), until: at("06:45") };
        equal(turned(close, end, end === "from" ? at("07:00") : at("06:45")), close);
        equal(turned(close, end, end === "from" ? at("07:30") : at("06:00")), close);
        equal(turned(wide, end, end === "from" ? at("06:45") : at("07:00")), wide);
    }
    let seed = 5;
    const random = (/** @type {number} */ most) => (seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32) % most;
    let span = night;
    for (let count = 0; count < 2_000; count += 1) {
        const end = random(2) === 0 ? "from" : "until";
        const next = turned(span, end, stepped(span[end], random(9) - 4));
        const length = lengthOf(next);
        ok(length > 0 && length < 1440, `${timeOf(next.from)}–${timeOf(next.until)}`);
        ok(Math.abs(length - lengthOf(span)) <= 4 * step, "it is no longer than it was turned");
        span = next;
    }
});

Deno.test("a day is chosen or left out in the week's order, and one stays", () => {
    same(daysWith(["monday", "friday"], "wednesday"), ["monday", "wednesday", "friday"]);
    same(daysWith(["monday", "friday"], "monday"), ["friday"]);
    equal(daysWith(["friday"], "friday"), null);
});

Deno.test("a week begins where the region's does, with its own letters and names", () => {
    same(daysOf("de-AT").map(({ letter }) => letter).join(""), "MDMDFSS");
    same(daysOf("en-GB")[0], { day: "monday", letter: "M", short: "Mon", name: "Monday" });
    same(daysOf("en-US")[0], { day: "sunday", letter: "S", short: "Sun", name: "Sunday" });
    same(daysOf("ja-JP").map(({ letter }) => letter).join(""), "日月火水木金土");
    same(daysOf("es-ES").map(({ day }) => day), usual.days);
});

Deno.test("a browser that knows nothing of weeks is told of some regions", () => {
    const { Locale } = Intl;
    class Old extends /** @type {any} */ (Locale) {
        getWeekInfo = undefined;
        weekInfo = undefined;
    }
    Object.assign(Intl, { Locale: Old });
    try {
        same(["de", "ja", "en-US", "en-GB", "es-MX"].map((locale) => daysOf(locale)[0].day), ["monday", "sunday", "sunday", "monday", "sunday"]);
    } finally {
        Object.assign(Intl, { Locale });
    }
});

Deno.test("the city of a time zone", () => {
    same(["Europe/Vienna", "America/Argentina/Buenos_Aires", "UTC"].map(cityOf), ["Vienna", "Buenos Aires", "UTC"]);
});

Deno.test("what waits is told with its time, in each language, and not once the time has passed", async () => {
    /** @type {[string, string, string, string][]} */
    const expected = [
        ["en", "22:30–07:00", "2 alerts wait until 07:00", "Quiet until 07:00. 1 alert waits."],
        ["de", "22:30–07:00", "2 Alarme warten bis 07:00 Uhr", "Ruhe bis 07:00 Uhr. 1 Alarm wartet."],
        ["es", "22:30–7:00", "2 alertas esperan hasta las 7:00", "Silencio hasta las 7:00. 1 alerta en espera."],
        ["ja", "22:30–7:00", "2件の通知が7:00まで待っています", "7:00までおやすみ時間中。1件の通知が待っています。"],
    ];
    const seven = "2026-11-24T06:00:00Z";
    const night = Date.parse("2026-11-24T01:00:00Z");
    for (const [language, span, waiting, standing] of expected) {
        const t = await loadWords(language);
        const voice = { t, format: createFormat(language, "Europe/Vienna", t) };
        equal(spanText(voice.format, spanOf(usual)), span);
        equal(waitingText(voice, quiet({ waiting: 2, waitingUntil: seven }), night), waiting);
        equal(standingText(voice, quiet({ waiting: 1, waitingUntil: seven, quietUntil: seven }), night), standing);
    }
    const t = await loadWords("en");
    const voice = { t, format: createFormat("en", "UTC", t) };
    const later = "2026-11-23T21:10:00Z";
    equal(standingText(voice, quiet({ quietUntil: later }), now), "Quiet until 21:10. Nothing waits.");
    // Beyond what is told in an hour, without quiet hours.
    equal(standingText(voice, quiet({ hours: null, waiting: 3, waitingUntil: later }), now), "3 alerts wait until 21:10");
    equal(waitingText(voice, quiet({ waiting: 1 }), now), "1 alert waits");
    for (const past of [null, quiet(), quiet({ waiting: 2, waitingUntil: "2026-11-23T20:59:00Z" })]) equal(waitingText(voice, past, now), "");
    equal(standingText(voice, quiet({ quietUntil: "2026-11-23T20:59:00Z" }), now), "");
    same([quiet(), quiet({ quietUntil: later }), quiet({ quietUntil: later, waiting: 1, waitingUntil: "2026-11-23T21:00:00Z" })].map((one) => isPast(one, now)), [
        false,
        false,
        true,
    ]);
});

Deno.test("what rings anyway is what has a critical limit, by device", () => {
    const parameter = (/** @type {string} */ name, /** @type {any} */ more) => /** @type {any} */ ({ name, ...more });
    const lists = new Map([
        ["koi", [parameter("ph", { criticalMinimum: 6 }), parameter("temperature", { criticalMinimum: null, criticalMaximum: 0 }), parameter("nitrate", {})]],
        ["reef", [parameter("ph", { criticalMinimum: null, criticalMaximum: null })]],
    ]);
    const found = ringing([{ id: "koi" }, { id: "reef" }, { id: "new" }], (device) => lists.get(device) ?? []);
    same(found.map(({ device, criticals }) => [device.id, criticals.map(({ parameter: { name }, minimum, maximum }) => [name, minimum, maximum])]), [
        ["koi", [["ph", 6, null], ["temperature", null, 0]]],
    ]);
});

Deno.test("a dial has midnight above and noon below, and its arc the shape of the span", () => {
    const near = (/** @type {{x: number, y: number}} */ { x, y }) => [Math.round(x), Math.round(y)].map((value) => value + 0);
    same(["00:00", "06:00", "12:00", "18:00"].map((time) => near(pointOn(at(time), 100))), [[0, -100], [100, 0], [0, 100], [-100, 0]]);
    for (let minutes = 0; minutes < 1440; minutes += 7) {
        const { x, y } = pointOn(minutes, 124);
        ok(Math.abs(minutesAt(x, y) - minutes) < 1e-6, `${minutes}`);
    }
    const flags = (/** @type {string} */ from, /** @type {string} */ until) => arc(at(from), at(until), 100).split(" ").slice(4, 6).join("");
    same([flags("22:30", "07:00"), flags("07:00", "22:30"), flags("00:00", "12:00"), flags("00:00", "12:15")], ["01", "11", "01", "11"]);
});
