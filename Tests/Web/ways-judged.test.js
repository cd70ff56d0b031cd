/** What is said of ways: by the word of the phone itself, by that of a server, and of all of them together. */

import { deepStrictEqual as same, doesNotMatch, match, ok, strictEqual as equal } from "node:assert/strict";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { proofOf, shapeOf } from "../../Services/Gateway/Web/screens/notifications/endpoints.js";
import { headlineOf, leadOf } from "../../Services/Gateway/Web/screens/notifications/judging.js";
import { mendOf } from "../../Services/Gateway/Web/screens/notifications/way/mending.js";
import { elsewhereOf, standingParts } from "../../Services/Gateway/Web/screens/notifications/way/standing.js";
import { isTaken, isTold, linesOf } from "../../Services/Gateway/Web/water/test-alert.js";
import { confirms, fillOf, judge, meaningOf, namedPeriods, standingOf } from "../../Services/Gateway/Web/water/ways.js";
import { partsOf } from "../../Services/Gateway/Web/words/endpoint-name.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { languages } from "./languages.js";
import { openPage } from "./page.js";

const accepted = "2026-11-29T14:02:00.1Z";

/** @param {any} [more] @returns {any} */
const way = (more = {}) => ({
    id: 7,
    channel: "webhook",
    service: null,
    host: "farm-log.example",
    state: "active",
    nothingSince: null,
    lastAcceptedAt: null,
    lastArrivedAt: null,
    lastArrivedAfterMilliseconds: null,
    lastStatus: null,
    ...more,
});
const refused = way({ state: "failing", nothingSince: accepted, lastStatus: 401 });
const silent = way({ state: "failing", nothingSince: accepted, lastFailure: "ambiguous" });
const unsent = way({ state: "failing", nothingSince: accepted, lastFailure: "refused" });
const mute = way({ channel: "webPush", lastAcceptedAt: accepted, lastArrivedAt: "2026-11-28T14:02:00Z", unconfirmedSince: accepted, reaches: "nothing" });
const proven = way({ lastAcceptedAt: accepted });

/** @param {string} [language] */
async function voiceOf(language = "en") {
    const t = await loadWords(language);
    return { t, format: createFormat(language, "UTC", t) };
}

/** @param {any} voice @param {any[]} ways */
function judged(voice, ways) {
    const judgement = judge(ways);
    return [headlineOf(voice, judgement), leadOf(voice, judgement, { count: ways.length, nameOf: ({ host }) => host })];
}

Deno.test("the last proof of a phone is its own word, unless a later message brought none", async () => {
    const voice = await voiceOf();
    /** @param {string | null} lastAcceptedAt @param {string | null} lastArrivedAt */
    const proof = (lastAcceptedAt, lastArrivedAt) => proofOf(voice, way({ lastAcceptedAt, lastArrivedAt, lastArrivedAfterMilliseconds: 840 }));
    match(proof(accepted, "2026-11-29T14:02:00.840Z"), /^arrived .*, after 0\.8 s$/);
    match(proof("2026-11-29T15:00:00Z", "2026-11-29T14:02:00.840Z"), /^accepted /);
    match(proof("2026-11-29T15:00:00Z", null), /^accepted /);
    equal(proof(null, null), "not tested yet");
});

Deno.test("each standing has its shape: a dash where nothing is known", () => {
    const ways = [proven, way(), way({ state: "paused" }), refused, silent, unsent, mute, way({ state: "gone" })];
    same(ways.map(standingOf), ["accepted", "untested", "paused", "refused", "silent", "unsent", "mute", "gone"]);
    same(ways.map(shapeOf), ["fine", "snoozed", "snoozed", "fault", "fault", "fault", "fault", "fault"]);
});

Deno.test("all ways are judged in one headline", async () => {
    const voice = await voiceOf();
    same(judged(voice, []), ["Nothing reaches you", "If the water changes now, only this page knows."]);
    same(judged(voice, [refused])[0], "Nothing reaches you");
    match(judged(voice, [refused, way({ state: "paused" })])[1], /^None of your 2 ways works\./);
    same(judged(voice, [refused, proven, proven]), ["One way is broken", "farm-log.example refuses alerts. 2 others work."]);
    same(judged(voice, [silent, proven]), ["One way is broken", "farm-log.example does not answer. One other works."]);
    same(judged(voice, [refused, silent, proven]), ["2 ways are broken", "One other works."]);
    same(judged(voice, [refused, way()]), ["One way is broken", "farm-log.example refuses alerts. Your other ways were never tested."]);
    same(judged(voice, [way(), way()]), ["Not tested yet", "A test shows whether alerts reach you."]);
    same(judged(voice, [proven]), ["Alerts reach you", "Your one way works."]);
    // Where nothing was sent nobody has refused to answer.
    same(judged(voice, [unsent, proven]), ["One way is broken", "Nothing could be sent to farm-log.example. One other works."]);
    // Who is signed out somewhere has one way less, and none that is broken.
    same(judged(voice, [proven, proven, way({ state: "paused" })]), ["Alerts reach you", "All 2 ways work."]);
    same(judged(voice, [proven, way(), way()]), ["Alerts reach you", "1 of 3 ways has taken a message so far."]);
});

Deno.test("a phone that has stopped confirming works no more", async () => {
    const voice = await voiceOf();
    same(judged(voice, [mute])[0], "Nothing reaches you");
    same(judged(voice, [mute, refused])[1], "None of your 2 ways works. If the water changes now, only this page knows.");
    same(judged(voice, [mute, proven]), ["One way is broken", "farm-log.example has stopped confirming alerts. One other works."]);
    same(judged(voice, [mute, refused, proven]), ["2 ways are broken", "One other works."]);
});

Deno.test("a way that hears of nothing but what is critical is no stand-in for one that heard of everything", async () => {
    const voice = await voiceOf();
    const urgent = way({ channel: "sms", lastAcceptedAt: accepted, onlyUrgent: true, reaches: "urgent" });
    const broken = { ...refused, reaches: "nothing" };
    same(judged(voice, [broken, urgent]), [
        "Only what is critical reaches you",
        "farm-log.example refuses alerts. What is critical reaches you by one other, and nothing else does.",
    ]);
    same(judged(voice, [{ ...proven, reaches: "all" }, broken, urgent])[0], "One way is broken");
    // Alone it is told of everything, as the service says.
    same(judged(voice, [{ ...urgent, reaches: "all" }])[0], "Alerts reach you");
});

for (const language of Object.keys(languages)) {
    Deno.test(`${language}: every standing and every answer has its sentence`, async () => {
        openPage();
        const voice = await voiceOf(language);
        const ways = [
            proven,
            way({ lastArrivedAt: accepted, lastArrivedAfterMilliseconds: 800 }),
            way(),
            silent,
            unsent,
            mute,
            way({ state: "paused", nothingSince: accepted }),
            way({ state: "gone", nothingSince: accepted }),
            ...[301, 401, 404, 429, 503, 418].map((lastStatus) => ({ ...refused, lastStatus })),
        ];
        const texts = ways.map((one) => [proofOf(voice, one), ...standingParts(voice, one, []).map(({ textContent }) => textContent)].join(" · "));
        for (const text of texts) doesNotMatch(text, /[{}]|ways\./);
        equal(new Set(texts).size, texts.length, texts.join("\n"));
        for (const status of [301, 401, 404, 429, 503, 418]) ok(texts.some((text) => text.includes(String(status))));
        for (const text of [[], [refused], [unsent, proven], [mute, proven], [mute, { ...proven, reaches: "urgent" }], [refused, proven], [way()], [proven], [proven, way()]].flatMap((all) => judged(voice, all))) doesNotMatch(text, /[{}]|ways\./);
    });
}

Deno.test("what mends a way is what its answer asks for, and done where it can be", () => {
    const browser = way({ channel: "webPush", state: "gone" });
    const answers = (/** @type {number} */ lastStatus) => ({ ...refused, lastStatus });
    same([answers(401), answers(404), answers(503), silent, proven, way({ state: "paused" })].map((one) => mendOf(one, false)), ["secret", "again", null, null, null, null]);
    equal(mendOf({ ...answers(403), channel: "ntfy", service: "ntfy" }, false), "again");
    same([mendOf(browser, true), mendOf(browser, false), mendOf(way({ state: "gone" }), false)], ["turnOn", null, "again"]);
    equal(meaningOf(418), "other");
    // An app registers itself: no button here could do it.
    for (const channel of ["apns", "fcm"]) {
        same([way({ channel, state: "gone" }), { ...answers(403), channel }].map((one) => mendOf(one, false)), [null, null]);
    }
});

Deno.test("browsers and apps say by themselves that a message has arrived, and what is gone is said as it is mended", async () => {
    same(["webPush", "apns", "fcm", "ntfy", "webhook", "sms"].map(confirms), [true, true, true, false, false, false]);
    openPage();
    const voice = await voiceOf();
    const text = (/** @type {string} */ channel) => standingParts(voice, way({ channel, state: "gone" }), []).at(-1)?.textContent ?? "";
    ok(text("apns").includes("Open the app") && !text("webhook").includes("Open the app"), text("apns"));
});

Deno.test("whether others got what was not taken is told, and never claimed of more than is known", async () => {
    const { t } = await voiceOf();
    const got = { acceptedAt: "2026-05-01T12:00:00Z" };
    equal(elsewhereOf({ t }, []), "");
    equal(elsewhereOf({ t }, [got, got, got]), "Your other ways got all 3 alerts that it did not take.");
    equal(elsewhereOf({ t }, Array(20).fill(got)), "Your other ways got the last 20 alerts that it did not take.");
    equal(elsewhereOf({ t }, [got, { acceptedAt: null }]), "One alert below reached you nowhere.");
});

Deno.test("a bar is filled by what was taken, and outlined where something was not", () => {
    const period = (/** @type {number} */ taken, /** @type {number} */ untaken) => ({ begin: accepted, taken, untaken });
    same([period(0, 0), period(2, 0), period(0, 1), period(1, 1)].map(fillOf), ["none", "taken", "untaken", "both"]);
    const week = (/** @type {number} */ at) => Array.from({ length: 28 }, (_, index) => period(1, index === at ? 1 : 0));
    same([namedPeriods(week(-1)), namedPeriods(week(18)), namedPeriods(week(2)), namedPeriods(week(26))], [[0, 27], [0, 18, 27], [0, 27], [0, 27]]);
});

Deno.test("a way has a name and says what it is", async () => {
    const { t } = await voiceOf();
    const parts = (/** @type {any} */ more, isHere = false) => Object.values(partsOf({ t }, way(more), isHere));
    same(parts({}), ["farm-log.example", "Webhook"]);
    same(parts({ channel: "email", service: "E-mail", host: "m…@example.org" }), ["m…@example.org", "Email"]);
    same(parts({ channel: "ntfy", service: "ntfy", host: "ntfy.sh" }), ["ntfy", "ntfy.sh"]);
    same([parts({ channel: "webPush", host: "fcm.googleapis.com" }), parts({ channel: "webPush", host: "fcm.googleapis.com" }, true)], [["Chrome", "Push"], ["This device", "Push"]]);
    // Of a newer service.
    same(parts({ channel: "pigeon", host: "pigeon.example.org" }), ["pigeon.example.org", "pigeon"]);
});

const begin = Date.parse(accepted);
const after = (/** @type {number} */ span) => new Date(begin + span).toISOString();
/** @param {number} endpoint @param {any} more @returns {any} */
const delivery = (endpoint, more) => ({ endpoint, host: "a.example", state: "pending", endedAt: null, arrivedAt: null, attempts: [], ...more });
/** @param {any[]} deliveries @param {string} [state] */
const testOf = (deliveries, state = "sending") => ({ state, decidedAt: accepted, deliveries });

Deno.test("a test says of each way what a phone, a server or nobody said, in that order", () => {
    const told = linesOf(testOf([
        delivery(1, {}),
        delivery(2, { attempts: [{ outcome: "retry", status: 401 }] }),
        delivery(3, { state: "accepted", endedAt: after(2100) }),
        delivery(4, { state: "accepted", endedAt: after(400), arrivedAt: after(1400) }),
        delivery(5, { state: "stale", endedAt: after(9e5), attempts: [{ outcome: "ambiguous", status: null }, { outcome: "refused", status: null }] }),
        delivery(6, { state: "accepted", endedAt: after(300) }),
        delivery(7, { state: "cancelled", endedAt: after(300) }),
    ]));
    same(told.map(({ endpoint, outcome, after, status }) => [endpoint, outcome, after, status]), [
        [4, "arrived", 1400, null],
        [6, "accepted", 300, null],
        [3, "accepted", 2100, null],
        [2, "refused", null, 401],
        [5, "silent", null, null],
        [7, "unsent", null, null],
        [1, "pending", null, null],
    ]);
    same(told.filter(isTaken).length, 3);
});

Deno.test("a test is followed until each way has said something, and a browser a moment longer", () => {
    const browsers = new Set([4]);
    const taken = delivery(4, { state: "accepted", endedAt: after(400) });
    const is = (/** @type {any} */ alert, at = begin) => isTold(alert, browsers, at);
    equal(is(testOf([], "decided")), false);
    equal(is(testOf([], "undelivered")), true);
    same([is(testOf([taken])), is(testOf([taken]), begin + 20_000), is(testOf([{ ...taken, arrivedAt: after(900) }]))], [false, true, true]);
    equal(is(testOf([{ ...taken, endpoint: 5 }, delivery(6, {})])), false);
    equal(is(testOf([{ ...taken, endpoint: 5 }, delivery(6, { attempts: [{ outcome: "retry", status: 503 }] })])), true);
});
