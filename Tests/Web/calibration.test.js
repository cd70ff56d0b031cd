/** Calibration logs: what was typed, what waits on this device, and what the log says. */

import { deepStrictEqual as same } from "node:assert/strict";
import { createCalibrations } from "../../Services/Gateway/Web/app/calibrations.js";
import { wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import {
    correctedPieces,
    differenceText,
    faultOf,
    homeLine,
    isLate,
    laidOver,
    mostOverdue,
    pointsOf,
    pointText,
    refusedOf,
    reminderOf,
    sentencesOf,
    usualStandard,
} from "../../Services/Gateway/Web/water/calibration.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { en } from "./languages.js";

const t = wordsOf("en", en);
const voice = { t, format: createFormat("en", "UTC", t) };
const now = Date.parse("2026-06-15T12:00:00Z");
const ph = { name: "ph", unit: "pH", decimals: 1, scale: { unit: "pH", decimals: 1, factor: 1, offset: 0, table: null } };
const fahrenheit = { name: "temperature", unit: "F", decimals: 1, scale: { unit: "C", decimals: 1, factor: 1.8, offset: 32, table: null } };

/** @typedef {import("../../Services/Gateway/Web/water/calibration.js").Log} Log */
/** @typedef {import("../../Services/Gateway/Web/water/calibration.js").Kind} Kind */

/** @param {string} id @param {string} at @param {Kind} [kind] */
const entryOf = (id, at, kind = "calibrate") => ({ id, kind, at, unit: "pH", points: [], temperature: null, note: null, by: null, version: 1 });
/** @param {Partial<Log>} [more] @returns {Log} */
const logOf = (more = {}) => ({
    items: [], handChecks: [], lastCalibratedAt: null, deviation: null, grade: null, drift: null, due: null, reminderDays: null, electrode: null, ...more,
});

Deno.test("points are typed with a comma or a point; a proposed standard that nobody used is none", () => {
    const unused = { standard: "4.00", proposed: "4.00", before: "", after: "" };
    same(pointsOf([{ standard: "7,01", before: "7.2", after: "" }, unused]), [{ standard: 7.01, before: 7.2, after: null }]);
    same(pointsOf([{ ...unused, standard: "4.01" }]), [{ standard: 4.01, before: null, after: null }], "one that was typed is one");
    same(pointsOf([{ ...unused, standard: "" }]), [], "nothing was typed");
    same(pointsOf([{ ...unused, millivolts: "165" }]), [{ standard: 4, before: null, after: null, millivolts: 165 }], "what an electrode gives is enough");
    same(pointsOf([{ ...unused, standard: "7", millivolts: "−5,5" }])?.[0].millivolts, -5.5);
    same(pointsOf([{ ...unused, millivolts: "x" }]), null);
    same(pointsOf([{ standard: "", before: "7.2", after: "" }]), null, "a reading has a standard");
    same(pointsOf([{ standard: "7", before: "x", after: "" }]), null);
    same(pointsOf([{ standard: "7", before: "", after: "7.0" }]), [{ standard: 7, before: null, after: 7 }]);
});

Deno.test("a check has a reading in each standard, and every standard stands once", () => {
    const point = (/** @type {number} */ standard, /** @type {number | null} */ before) => ({ standard, before, after: null });
    same(faultOf("calibrate", null), "noNumber");
    same(faultOf("calibrate", []), null);
    same(faultOf("check", []), "missing");
    same(faultOf("check", [point(7, 7.1), point(4, null)]), "missing");
    same(faultOf("check", [point(7, 7.1), point(4, 4)]), null);
    same(faultOf("clean", [point(7, 7.1), point(7, 7.2)]), "twice");
});

Deno.test("standards that are sold are proposed in the unit in which they are", () => {
    same([0, 1, 2, 3].map((place) => usualStandard(ph, place)), [7, 4, 10, null]);
    same(usualStandard(fahrenheit, 0), null);
});

Deno.test("what waits is laid over the log, and what was refused is not", () => {
    const log = logOf({ items: [entryOf("1", "2026-05-01T12:00:00Z")], lastCalibratedAt: "2026-05-01T12:00:00Z" });
    const about = (/** @type {object} */ more) => ({ about: { device: "pond", parameter: "ph", ...more } });
    const written = about({ calibration: "entry", entry: entryOf("2", "2026-06-01T12:00:00Z") });
    same(laidOver(log, "pond", "ph", [written]).items.map(({ id }) => id), ["2", "1"]);
    same(laidOver(log, "pond", "ph", [written]).lastCalibratedAt, "2026-06-01T12:00:00Z");
    same(laidOver(log, "pond", "ph", [written]).due, null, "the next date is not known before the service has the entry");
    same(laidOver(log, "pond", "ph", [{ ...written, refusal: { title: "", detail: "" } }]), log);
    same(laidOver(log, "reef", "ph", [written]), log);
    same(laidOver(log, "pond", "orp", [written]), log);
    same(laidOver(log, "pond", "ph", [about({ calibration: "gone", id: "1" })]).items, []);
    const refused = { ...written, refusal: { title: "No", detail: "This cannot be." } };
    same(refusedOf([written, refused], "pond", "ph").map(({ problem }) => problem), ["This cannot be."]);
    same(refusedOf([refused], "reef", "ph"), []);
});

Deno.test("the log is told in sentences", () => {
    same(sentencesOf(voice, logOf(), ph, now), ["Nobody has written down a calibration yet."]);
    const log = logOf({
        items: [entryOf("1", "2026-05-12T12:00:00Z")],
        lastCalibratedAt: "2026-05-12T12:00:00Z",
        deviation: 0.4,
        grade: "good",
        drift: { perMonth: 0.1, direction: "higher", checks: 3, byHand: true },
        due: { at: "2026-06-11T12:00:00Z", reason: "drift" },
        electrode: { slope: 84.2, offset: -5, worn: true, grade: "worn" },
    });
    const sentences = sentencesOf(voice, log, ph, now).join(" ");
    for (const part of ["This probe drifts up by 0.10", "Values by hand count", "0.40", "too high", "good by the scale", "June 11, 2026", "84.2", "another electrode"]) {
        same(sentences.includes(part), true, `${part}: ${sentences}`);
    }
    same(sentencesOf(voice, logOf({ deviation: 0.04 }), ph, now).at(-1), "At the last check it was right.");
    /** @param {Partial<NonNullable<Log["electrode"]>>} more */
    const electrode = (more) => sentencesOf(voice, logOf({ electrode: { slope: 95.8, offset: -5, worn: false, ...more } }), ph, now).slice(1).map((text) => text.replaceAll("\u00a0", " "));
    same(electrode({ grade: "sound" }), ["Slope 95.8 %, offset −5.0 mV.", "The electrode answers well."]);
    same(electrode({ grade: "aging" })[1], "The electrode is getting old: below 90 %.");
    same(electrode({ worn: true })[1], "It is time for another electrode.", "by a service of before");
    same(electrode({}).length, 1);
    same(sentencesOf(voice, logOf({ grade: "of a later version" }), ph, now).length, 1);
});

Deno.test("differences are told in the person's unit, without its zero", () => {
    same(differenceText(voice, 1, fahrenheit).replaceAll("\u00a0", " "), "1.80 °F");
    same(differenceText(voice, -0.1, ph).includes("0.10"), true);
});

Deno.test("a point is told with what is known of it", () => {
    const told = (/** @type {number | null} */ before, /** @type {number | null} */ after) =>
        pointText(voice, { standard: 7, before, after }, "mg/L", 1).replaceAll("\u00a0", " ");
    same(told(7.2, 7).startsWith("in 7.0 mg/L it read 7.2 mg/L, afterwards 7.0 mg/L"), true, told(7.2, 7));
    same(told(7.2, null).includes("afterwards"), false);
    same(told(null, 7).includes("afterwards"), true);
    same(told(null, null), "with 7.0 mg/L");
    const volts = pointText(voice, { standard: 4, before: null, after: null, millivolts: 165 }, "pH", 1).replaceAll("\u00a0", " ");
    same(volts.endsWith("· 165 mV"), true, volts);
});

Deno.test("the corrected line crosses neither a gap nor what is not known", () => {
    const point = (/** @type {number} */ minute, /** @type {number | null} */ corrected, afterGap = false) => ({ time: `2026-06-01T12:0${minute}:00Z`, corrected, afterGap });
    const pieces = correctedPieces({ points: [point(0, 1), point(1, 2), point(2, null), point(3, 3), point(4, 4, true)] });
    same(pieces.map((piece) => piece.map(({ value }) => value)), [[1, 2], [3], [4]]);
    same(correctedPieces({}), []);
});

Deno.test("of several probes the one is told that is overdue the longest", () => {
    const probe = (/** @type {string} */ parameter, /** @type {string} */ at, /** @type {string | null} */ last = "2026-01-01T00:00:00Z") => ({
        parameter, lastCalibratedAt: last, due: { at, reason: /** @type {const} */ ("usual") },
    });
    same(mostOverdue([probe("ph", "2026-06-10T00:00:00Z"), probe("orp", "2026-06-01T00:00:00Z")], now)?.parameter, "orp");
    same(mostOverdue([probe("ph", "2026-06-20T00:00:00Z")], now), null);
    same(mostOverdue([probe("ph", "2026-06-10T00:00:00Z", null)], now), null);
    same(isLate({ due: null }, now), false);
    const line = homeLine(voice, "koi pond", [probe("ph", "2026-06-10T00:00:00Z", "2026-05-01T12:00:00Z")], now);
    same(line?.href, "/settings/koi%20pond/ph/calibration");
    same(line?.text, "pH: calibrated 45 d ago. pH readings since then are shown, but may drift.");
    same(homeLine(voice, "koi pond", [], now), null);
});

Deno.test("a reminder to calibrate of the same device is offered to be ticked off", () => {
    const todo = [
        { reminder: { device: "reef", activity: "calibrate" } },
        { reminder: { device: "pond", activity: "feed" } },
        { reminder: { device: "pond", activity: "calibrate" } },
    ];
    same(reminderOf(todo, "pond"), todo[2]);
    same(reminderOf(todo, "lake"), null);
});

/** A log's keeper, with an outbox that keeps what is added. @param {Partial<Log>} [more] */
function keeperOf(more) {
    /** @type {any[]} */
    const added = [];
    /** @type {((row: any, answer: any) => void)[]} */
    const listeners = [];
    const waiting = signal(/** @type {any[]} */ ([]));
    const outbox = /** @type {any} */ ({
        waiting,
        onAnswer(/** @type {any} */ listener) {
            listeners.push(listener);
            return () => {};
        },
        add(/** @type {any} */ deed) {
            added.push(deed);
            waiting.value = [...waiting.value, { ...deed, refusal: null }];
            return Promise.resolve();
        },
    });
    const store = /** @type {any} */ ({ account: signal({ createdAt: "a" }), journalNews: signal(0), keep() {}, kept: () => Promise.resolve(undefined) });
    const api = /** @type {any} */ ({ get: () => Promise.resolve({ data: logOf(more) }) });
    /** The service answers what was added first. @param {any} data */
    function answer(data) {
        const [row, ...others] = waiting.value;
        for (const listener of listeners) listener(row, { data });
        waiting.value = others;
    }
    return { calibrations: createCalibrations({ api, store, outbox }), added, answer };
}

Deno.test("an entry is sent under its own id, without what is not known, and shown before it is", async () => {
    const { calibrations, added } = keeperOf();
    await calibrations.read("pond", "ph");
    const entry = { ...entryOf("u-1", "2026-06-01T12:00:00Z"), points: [{ standard: 7, before: null, after: 7 }], version: undefined };
    await calibrations.write("pond", "ph", entry);
    same(added[0].path, "/devices/pond/parameters/ph/calibrations/u-1");
    same(added[0].body, { kind: "calibrate", at: "2026-06-01T12:00:00Z", unit: "pH", points: [{ standard: 7, after: 7 }] });
    same(calibrations.logOf("pond", "ph")?.items.map(({ id }) => id), ["u-1"]);
});

Deno.test("a change names the version that is known, and the next the one that the answer brought", async () => {
    const known = { ...entryOf("u-1", "2026-06-01T12:00:00Z"), version: 3 };
    const { calibrations, added, answer } = keeperOf({ items: [known] });
    await calibrations.read("pond", "ph");
    await calibrations.write("pond", "ph", { ...known, note: "new buffer" });
    same(added[0].ifMatch, '"v3"');
    const [shown] = calibrations.logOf("pond", "ph")?.items ?? [];
    same([shown.note, shown.version], ["new buffer", undefined], "it waits here");
    answer({ ...known, note: "new buffer", version: 4 });
    await calibrations.write("pond", "ph", { ...known, note: "old buffer" });
    same(added[1].ifMatch, '"v4"');
});

Deno.test("how probes stand is asked for again from time to time, and not at once when nobody answered", async () => {
    let asked = 0;
    const api = /** @type {any} */ ({
        get() {
            asked += 1;
            return asked === 1 ? Promise.reject(new Error("no answer")) : Promise.resolve({ data: [{ parameter: "ph", lastCalibratedAt: null, due: null }] });
        },
    });
    const outbox = /** @type {any} */ ({ waiting: signal([]), onAnswer: () => () => {} });
    const store = /** @type {any} */ ({ account: signal({ createdAt: "a" }), journalNews: signal(0) });
    const calibrations = createCalibrations({ api, store, outbox });
    const later = async (/** @type {number} */ seconds) => {
        calibrations.look("pond", now + seconds * 1_000);
        await Promise.resolve();
        await Promise.resolve();
        await Promise.resolve();
        return asked;
    };
    same(await later(0), 1);
    same(await later(1), 1, "it was asked a moment ago");
    same(await later(61), 2);
    same(calibrations.standing.value.get("pond")?.length, 1);
    same(await later(600), 2);
    store.journalNews.value = 1;
    await Promise.resolve();
    same(await later(601), 3, "somebody wrote something down");
});
