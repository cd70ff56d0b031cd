/** Drafts of field samples: what is sent of them, how they come back, what is kept of other versions, and two that disagree. */

import { deepStrictEqual as same, ok, strictEqual as equal } from "node:assert/strict";
import { merged } from "../../Services/Gateway/Web/water/field/conflict.js";
import { contentIn, contentOf, filled, isBlank, joined, migrated, renewed, taken } from "../../Services/Gateway/Web/water/field/draft.js";
import { isSafe, nextOf, roomOf, standingOf, unsent } from "../../Services/Gateway/Web/water/field/sending.js";
import { draftOf, id, photoOf, sampleOf } from "./field-samples.js";

/** @param {any} about @param {any} [more] */
const row = (about, more = {}) => ({ about: { sample: id, ...about }, state: "waiting", refusal: null, ...more });
const values = { "oxygen||": { text: "7.4" } };

Deno.test("a draft says what its fields say, and comes back from the service as it was", () => {
    const track = [[{ time: Date.parse("2026-11-30T10:00:05.400Z"), latitude: 46.9, longitude: 7.4, accuracy: 4.04 }, { time: Date.parse("2026-11-30T10:02:00Z"), latitude: 46.91, longitude: 7.4, accuracy: 5 }]];
    const draft = draftOf({ values, surveyors: [" Ana ", "", "Ben"], comment: " brown ", weather: { now: "rain", before: null, airTemperature: "−2,5", wind: "", cloud: "", rain: "x" }, track });
    const content = contentOf(draft);
    same(content.surveyors, ["Ana", "Ben"]);
    same(content.weather, { now: "rain", before: null, airTemperature: -2.5, wind: null, cloud: null, rain: null });
    same([content.comment, content.habitat, content.utcOffset], ["brown", null, 60]);
    same(content.track, [[[5, 46.9, 7.4, 4], [120, 46.91, 7.4, 5]]], "seconds since the beginning");
    same(contentOf(filled(draft, content)), content);
    const back = taken(sampleOf(content, 3), draft.protocol, draft.account);
    same({ ...contentOf(back), state: "done" }, { ...content, state: "done" });
    same([back.base?.version, back.state, back.answered === back.revision], [3, "begun", true]);
    same(contentOf(draftOf({ isTrackLeftOut: true, track })).track, [], "it can be left out");
    const longest = [Array.from({ length: 5_000 }, (_, index) => ({ time: Date.parse(draft.begunAt) + 20_000 * index, latitude: 46.123456789012345 + index % 2 / 100, longitude: 107.12345678901234 + index / 100, accuracy: 12.345678 }))];
    const body = contentOf(draftOf({ track: longest }));
    same([body.track[0].length, body.track[0][1]], [5_000, [20, 46.13346, 107.13346, 12.3]]);
    ok(JSON.stringify(body).length < 192 * 1024, "the longest way leaves room for all else in a request");
    ok(isBlank(draftOf()) && !isBlank(draft));
    ok(!isBlank(draftOf({ weather: { ...draftOf().weather, airTemperature: "3" } })), "the weather alone is missed, too");
    const position = { latitude: 46.9, longitude: 7.4, accuracy: 5, altitude: null, source: /** @type {const} */ ("gps") };
    same([0, 1].map((edits) => isBlank(draftOf({ position, edits }))), [true, false], "and a position that a person has found");
});

Deno.test("a draft of an older version is made new step by step, and kept as it is where that fails", () => {
    const { surveyors: _, ...old } = { ...draftOf(), schema: 0 };
    const made = migrated(old, { 0: (draft) => ({ ...draft, schema: 1, surveyors: [] }) });
    same("draft" in made && made.draft.surveyors, []);
    for (const strange of [{ ...draftOf(), schema: 2 }, old, null, { id: 1, schema: 1 }, "text"]) same(migrated(strange), { unread: strange });
    const broken = () => {
        throw new Error("no");
    };
    same(migrated(old, { 0: broken }), { unread: old });
    same(migrated(old, { 0: (draft) => draft }), { unread: old }, "a step that leads nowhere ends");
});

Deno.test("the record goes first, then a photo at a time, then the service is asked; whatever was cut off goes on", () => {
    const done = draftOf({ state: "done", revision: 1, photos: [photoOf("a"), photoOf("b")] });
    equal(nextOf(draftOf(), []), null, "what is begun waits for the person");
    same(nextOf({ ...done, device: null, place: "Ford" }, []), { step: "place" });
    same(nextOf(done, []), { step: "record" });
    equal(nextOf(done, [row({ revision: 1 })]), null);
    same(nextOf({ ...done, revision: 2 }, [row({ revision: 1 })]), { step: "record" }, "what was changed since follows");
    const answered = { ...done, answered: 1 };
    same(nextOf(answered, []), { step: "photo", photo: "a" });
    equal(nextOf(answered, [row({ photo: "a" })]), null, "one at a time");
    same(nextOf({ ...answered, photos: [photoOf("a", { sent: true }), photoOf("b")] }, []), { step: "photo", photo: "b" });
    same(nextOf({ ...answered, photos: [photoOf("a", { refused: "no" }), photoOf("b")] }, []), { step: "photo", photo: "b" });
    equal(nextOf({ ...answered, photos: [photoOf("a", { refused: "no" })] }, []), null, "a refused one is the person's to decide");
    same(nextOf({ ...answered, gone: ["c"] }, []), { step: "photoGone", photo: "c" });
    same(nextOf({ ...answered, photos: [photoOf("a", { sent: true })] }, []), { step: "look" });
});

Deno.test("a sample says how far it has come", () => {
    const done = draftOf({ state: "done", revision: 1, photos: [photoOf("a", { sent: true }), photoOf("b")] });
    const state = (/** @type {any} */ draft, /** @type {any[]} */ rows = [], isCutOff = false) => standingOf(draft, rows, isCutOff).state;
    same([state(draftOf()), state(done), state(done, [], true)], ["begun", "saved", "waiting"]);
    equal(state(done, [row({ revision: 1 }, { state: "sending" })]), "sending");
    equal(state({ ...done, answered: 1 }), "sending", "a photo is still to go");
    equal(state(done, [row({ revision: 1 }, { refusal: { status: 412, title: "", detail: "" } })]), "conflict");
    const refused = standingOf(done, [row({ revision: 1 }, { refusal: { status: 422, title: "Refused", detail: "" } })], true);
    same([refused.state, refused.why, refused.safe, refused.photos], ["refused", "Refused", 1, 2]);
    equal(state({ ...done, answered: 1, photos: [photoOf("a", { sent: true })] }), "sent");
    same(unsent([draftOf(), { ...done, answered: 1 }, { ...done, answered: 1, photos: [] }]).length, 2);
});

Deno.test("a sample that the service has no more says so, and goes nowhere by itself", () => {
    const base = { version: 2, content: contentOf(draftOf()) };
    const refused = [row({ revision: 2 }, { state: "refused", refusal: { status: 404, title: "Not found", detail: "" } })];
    const done = draftOf({ state: "done", revision: 2, answered: 1, base });
    equal(standingOf(done, refused, false).state, "gone");
    equal(standingOf({ ...done, base: null }, refused, false).state, "gone", "so does one whose place is another's by now");
    const missing = { ...done, answered: 2, isMissing: true };
    same([standingOf(missing, [], true).state, standingOf({ ...missing, state: "begun" }, [], false).state, nextOf(missing, [])], ["gone", "gone", null]);
    equal(unsent([missing]).length, 1, "this device alone has it");
    equal(joined(done, missing).isMissing, true, "whichever window has heard of it");
    const photos = [photoOf("c")];
    const anew = renewed({ ...missing, photos: [photoOf("a")], gone: ["b"] }, { id: "other", device: "ford", endedAt: missing.begunAt, photos });
    same([anew.id, anew.device, anew.state, anew.base, anew.revision, anew.answered, anew.photos, anew.gone, "isMissing" in anew], ["other", "ford", "done", null, 1, 0, photos, [], false]);
    equal(anew.instead, id, "what waits of the former is given up");
    same(contentOf(anew), { ...contentOf(missing), device: "ford", endedAt: missing.begunAt }, "it says the same");
});

Deno.test("nothing leaves this device before the service has shown all of it", () => {
    const content = contentOf(draftOf({ state: "done" }));
    const draft = draftOf({ state: "done", revision: 2, answered: 2, base: { version: 3, content }, photos: [photoOf("a", { sent: true })] });
    const photos = [{ id: "a", takenAt: null, bytes: 3, type: "image/jpeg" }];
    ok(isSafe(draft, sampleOf(content, 3, { photos })));
    ok(isSafe(draft, sampleOf(content, 4, { photos })), "somebody has changed it since");
    ok(!isSafe(draft, sampleOf(content, 3)), "a photo is not there");
    ok(!isSafe(draft, sampleOf(content, 2, { photos })), "an older version");
    ok(!isSafe({ ...draft, revision: 3 }, sampleOf(content, 3, { photos })));
    ok(!isSafe({ ...draft, state: "begun" }, sampleOf(content, 3, { photos })), "it was taken up again");
    ok(!isSafe({ ...draft, gone: ["b"] }, sampleOf(content, 3, { photos })));
});

Deno.test("what one of two has changed is theirs; what both have changed is chosen", () => {
    const said = (/** @type {any} */ typed, /** @type {any} */ more = {}) => contentOf(draftOf({ state: "done", values: typed, ...more }));
    const base = said({ "oxygen||": { text: "8" }, "temperature||": { text: "9" } });
    const mine = said({ "oxygen||": { text: "8.4" }, "temperature||": { text: "9" } }, { comment: "mine" });
    const theirs = said({ "oxygen||": { text: "7.9" }, "temperature||": { text: "9.2" } });
    const { open, content } = merged(base, mine, theirs);
    same(open.map(({ part }) => part), ["value oxygen||"]);
    equal(content.comment, "mine");
    const number = (/** @type {any} */ chosen) => merged(base, mine, theirs, { "value oxygen||": chosen }).content.values.map((value) => value.number);
    same([number("mine"), number("theirs")], [[8.4, 9.2], [7.9, 9.2]]);
    same(merged(base, mine, theirs, { "value oxygen||": "mine" }).open, []);
    const without = said({ "temperature||": { text: "9" } });
    same(merged(base, without, theirs).open[0], { part: "value oxygen||", mine: undefined, theirs: { field: "oxygen", number: 7.9 } }, "one took it away");
    same(merged(base, without, base).content.values.map(({ field }) => field), ["temperature"]);
    same(merged(null, mine, theirs).open.map(({ part }) => part).sort(), ["comment", "value oxygen||", "value temperature||"], "without what both began from all of it is chosen");
    const answered = contentIn(sampleOf({ ...base, endedAt: "2026-11-30T11:00:00Z", values: base.values.map((value) => ({ station: null, ...value })) }, 2));
    same(merged(base, { ...base, endedAt: "2026-11-30T11:00:00.000Z" }, answered).open, [], "what is null or written in another way is the same");
});

/** A course of letters, seeded. @param {number} seed */
function random(seed) {
    let state = seed;
    return (/** @type {number} */ most) => {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
        return Math.floor(state / 65_536) % most;
    };
}

Deno.test("merging loses nothing that only one has said, whatever both did", () => {
    for (let seed = 1; seed <= 300; seed += 1) {
        const next = random(seed);
        const some = () => contentOf(draftOf({ state: "done", values: Object.fromEntries(["oxygen||", "temperature||"].filter(() => next(3) > 0).map((key) => [key, { text: String(next(3)) }])), comment: "abc"[next(3)] }));
        const [base, mine, theirs] = [some(), some(), some()];
        const { open } = merged(base, mine, theirs);
        const chosen = Object.fromEntries(open.map(({ part }) => [part, next(2) === 0 ? /** @type {const} */ ("mine") : /** @type {const} */ ("theirs")]));
        const { content, open: left } = merged(base, mine, theirs, chosen);
        same(left, []);
        const valueOf = (/** @type {any} */ of, /** @type {string} */ field) => of.values.find((/** @type {any} */ value) => value.field === field)?.number;
        for (const field of ["oxygen", "temperature"]) {
            const [before, own, other, now] = [base, mine, theirs, content].map((of) => valueOf(of, field));
            const wanted = own === other || other === before ? own : own === before ? other : chosen[`value ${field}||`] === "mine" ? own : other;
            equal(now, wanted, `${seed} ${field}`);
        }
        same(merged(base, mine, mine).content, mine);
    }
});

Deno.test("room is told before it is gone", () => {
    same([79, 80, 90, 120].map((usage) => roomOf({ usage, quota: 100 })), ["enough", "little", "none", "none"]);
    same([roomOf(null), roomOf({}), roomOf({ usage: 1, quota: 0 })], [null, null, null]);
});
