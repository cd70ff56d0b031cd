/** Chains as lists of steps: their order and bounds, who can join them, and what is said of them. */

import { deepStrictEqual as same, ok, strictEqual as equal } from "node:assert/strict";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { waitingCalls } from "../../Services/Gateway/Web/water/calls.js";
import {
    candidatesOf,
    detailOf,
    discOf,
    isBroken,
    keyOf,
    lastOf,
    leastMinutes,
    minutesIn,
    mostMinutes,
    mostSteps,
    nameOfStep,
    nextHour,
    nextStep,
    steppedMinutes,
    summaryOf,
    toldAtOnce,
    withoutStep,
    withStep,
    withStepAt,
} from "../../Services/Gateway/Web/water/chain.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";

const ana = { id: "42", name: "Ana" };
const kenji = { id: "43", name: "Kenji" };
const ways = [
    { id: 5, channel: "webPush", service: null, host: "fcm.googleapis.com", state: "active" },
    { id: 7, channel: "telegram", service: "Telegram", host: "Koi club", state: "active" },
    { id: 8, channel: "webhook", service: null, host: "example.org", state: "gone" },
    { id: 9, channel: "webPush", service: null, host: "mozilla.com", state: "paused" },
];

/** @param {any} [more] @returns {import("../../Services/Gateway/Web/water/chain.js").Step} */
const step = (more) => ({ after: 10, person: ana, endpoint: null, agreed: "always", outlook: "told", ...more });
const own = (/** @type {any} */ more = {}) => step({ person: null, endpoint: 7, agreed: null, ...more });

/** @param {string} language @returns {Promise<import("../../Services/Gateway/Web/words/format.js").Voice>} */
async function voiceOf(language = "en") {
    const t = await loadWords(language);
    return { t, format: createFormat(language, "Europe/Vienna", t) };
}

Deno.test("a step joins ten minutes after the last one, and is asked first where it is a person", () => {
    const first = nextStep([], { person: ana });
    same(first, step({ agreed: null, outlook: "notAgreed" }));
    const second = nextStep([first], { endpoint: 7 });
    same([second.after, second.agreed, second.outlook], [20, null, "told"]);
    same(withStep([second], first).map(keyOf), ["person 42", "endpoint 7"]);
    equal(nextStep([step({ after: 238 })], { person: kenji }).after, mostMinutes);
    equal(mostSteps, 8);
});

Deno.test("steps are in the order of their times, whatever was changed", () => {
    const steps = [step(), step({ after: 20, person: kenji }), own({ after: 30 })];
    same(withStepAt(steps, "person 42", 25).map(keyOf), ["person 43", "person 42", "endpoint 7"]);
    same(withStepAt(steps, "endpoint 7", 1).map(({ after }) => after), [1, 10, 20]);
    // Of two at one time the former first stays first.
    same(withStepAt(steps, "person 43", 10).map(keyOf), ["person 42", "person 43", "endpoint 7"]);
    same(withoutStep(steps, "person 43").map(keyOf), ["person 42", "endpoint 7"]);
    same(steps.map(({ after }) => after), [10, 20, 30], "what was there is not changed");
});

Deno.test("minutes go by fives, between the bounds, and are read in any digits", () => {
    same([[10, 1], [10, -1], [12, 1], [12, -1], [1, 1], [5, -1], [240, 1], [238, 1], [1, -1]].map(([minutes, direction]) =>
        steppedMinutes(minutes, direction === 1 ? 1 : -1)), [15, 5, 15, 10, 5, 1, 240, 240, 1]);
    for (let minutes = leastMinutes; minutes <= mostMinutes; minutes += 1) {
        equal(minutesIn(String(minutes)), minutes);
        for (const direction of /** @type {const} */ ([1, -1])) ok(minutesIn(String(steppedMinutes(minutes, direction))) !== null);
    }
    same([" 15 ", "１５", "0", "241", "", "ten", "1.5", "-5", "1e2"].map(minutesIn), [15, 15, null, null, null, null, null, null, null]);
});

Deno.test("nobody and nothing is a step twice; an endpoint that is one is not told at once", () => {
    const chain = { steps: [step(), own()], people: [ana, kenji] };
    const { people, ways: left } = candidatesOf(chain, ways);
    same([people, left.map(({ id }) => id)], [[kenji], [5]]);
    const atOnce = (/** @type {any[]} */ steps, known = ways) => {
        const { ways: told, isAll } = toldAtOnce(steps, known);
        return [told.map(({ id }) => id), isAll];
    };
    same(atOnce([]), [[5, 7], false], "one that is gone, or signed out, is not told");
    same(atOnce([own()]), [[5], false]);
    same(atOnce([own(), own({ endpoint: 5 })]), [[5, 7], true], "nothing else can be told");
    same(atOnce([own({ endpoint: 9 })], ways.slice(2)), [[], false]);
});

Deno.test("each state of a step has its words in each language, and those that tell nobody are marked", async () => {
    for (const language of ["en", "de", "es", "ja"]) {
        const voice = await voiceOf(language);
        const texts = [
            ...[null, "no"].map((agreed) => detailOf(voice, step({ agreed, outlook: "notAgreed" }))),
            ...["daytime", "always"].map((agreed) => detailOf(voice, step({ agreed }))),
            ...["quietHours", "unreachable", "gone"].map((outlook) => detailOf(voice, step({ outlook }))),
            ...["told", "quietHours", "unreachable", "paused", "gone"].map((outlook) => detailOf(voice, own({ outlook }))),
            detailOf(voice, own(), true),
        ];
        equal(new Set(texts).size, texts.length, texts.join("|"));
        for (const text of texts) ok(!/[{}]|chain\./.test(text), text);
        for (const outcome of ["told", "quietHours", "notAgreed", "unreachable", "paused", "gone", "tooMany"]) ok(voice.t.has(`chain.outcome_${outcome}`));
    }
    same(["told", "quietHours", "notAgreed", "unreachable", "paused", "gone"].map(isBroken), [false, false, false, true, true, true]);
});

Deno.test("a step is called by the person, or by the endpoint; a disc has a letter or an icon", async () => {
    const voice = await voiceOf();
    same([step(), own(), own({ endpoint: 99 })].map((one) => nameOfStep(voice, one, ways)), ["Ana", "Telegram (Koi club)", "One of your ways"]);
    equal(nameOfStep(voice, own(), null), "One of your ways", "not known yet");
    same([step(), own(), own({ endpoint: 99 })].map((one) => discOf(one, ways)), [
        { initial: "A", icon: null },
        { initial: "", icon: "plane" },
        { initial: "", icon: "link" },
    ]);
});

Deno.test("a chain in one line says who is next, and how many follow", async () => {
    const steps = [step(), step({ after: 20, person: kenji }), own({ after: 30 })];
    /** @type {[string, string, string, string, string][]} */
    const expected = [
        ["en", "Nobody else is told", "Ana after 10 min", "Ana after 10 min, then 1 more", "Ana after 10 min, then 2 more"],
        ["de", "Sonst wird niemand alarmiert", "Ana nach 10 min", "Ana nach 10 min, dann noch 1", "Ana nach 10 min, dann noch 2"],
        ["es", "No se avisa a nadie más", "Ana a los 10 min", "Ana a los 10 min y 1 más", "Ana a los 10 min y 2 más"],
        ["ja", "ほかに通知する人はいません", "10分後にAna", "10分後にAna、ほか1件", "10分後にAna、ほか2件"],
    ];
    for (const [language, ...texts] of expected) {
        const voice = await voiceOf(language);
        same([0, 1, 2, 3].map((count) => summaryOf(voice, steps.slice(0, count), ways)), texts);
    }
    equal(summaryOf(await voiceOf(), [step({ after: 90 })], ways), "Ana after 1 h 30 min");
});

Deno.test("the last alarm says who answered, how soon to the second, and what it was", async () => {
    const now = Date.parse("2026-11-29T12:00:00Z");
    /** @type {any} */
    const last = { beganAt: "2026-11-27T02:52:00Z", kind: "range", parameter: "dissolved_oxygen", side: "low", answeredBy: "Ana", isOwn: false, answeredAfter: 620, endedAt: null };
    const voice = await voiceOf();
    same(lastOf(voice, last, now), { who: "Ana answered after 10 min 20 s", what: "Oxygen low · Friday, 03:52" });
    const who = (/** @type {any} */ more) => lastOf(voice, { ...last, ...more }, now).who;
    same([who({ isOwn: true, answeredAfter: 40 }), who({ answeredAfter: 600 }), who({ answeredAfter: 4_000 })], [
        "You answered after 40 s",
        "Ana answered after 10 min",
        "Ana answered after 1 h 6 min",
    ]);
    const none = { answeredBy: null, answeredAfter: null };
    same([who(none), who({ ...none, endedAt: last.beganAt })], ["Nobody has answered yet", "Nobody answered"]);
    const what = (/** @type {any} */ more) => lastOf(voice, { ...last, ...more }, now).what.split(" · ")[0];
    same([what({ kind: "silence", parameter: null, side: null }), what({ kind: "silence", side: null }), what({ kind: "fault", side: null }), what({ kind: "rate", side: null })], [
        "No readings",
        "Oxygen: no readings",
        "Oxygen: probe error",
        "Oxygen: fast change",
    ]);
    // A parameter, and a kind, of a newer service.
    same([what({ parameter: "lithium" }), what({ kind: "turbidity", side: null })], ["Alert", "Dissolved oxygen"]);
    equal(lastOf(await voiceOf("ja"), last, now).who, "10分20秒後にAnaが応答");
});

Deno.test("the next night is the next, in the person's zone, also where the clocks change", () => {
    const at = (/** @type {string} */ now, zone = "Europe/Vienna") => new Date(nextHour(Date.parse(now), 3, zone)).toISOString();
    equal(at("2026-11-29T12:00:00Z"), "2026-11-30T02:00:00.000Z");
    equal(at("2026-11-30T01:59:00Z"), "2026-11-30T02:00:00.000Z");
    equal(at("2026-11-30T02:00:00Z"), "2026-12-01T02:00:00.000Z");
    equal(at("2026-11-29T12:00:00Z", "Asia/Tokyo"), "2026-11-29T18:00:00.000Z");
    equal(at("2026-03-28T12:00:00Z"), "2026-03-29T01:00:00.000Z");
    equal(at("2026-10-24T12:00:00Z"), "2026-10-25T02:00:00.000Z");
});

Deno.test("a call waits until the person has said something, also where that was no", () => {
    const call = (/** @type {string} */ device, /** @type {any} */ agreed) => ({ device, deviceName: "Koi pond", person: ana, after: 10, agreed });
    const calls = [call("koi", "no"), call("reef", null), call("tank", "always")];
    same(waitingCalls(calls).map(({ device }) => device), ["reef"]);
});
