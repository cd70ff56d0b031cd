/** What a project received, put together from pages in the order in which it came, and how it is read. */

import { deepStrictEqual as same, rejects } from "node:assert/strict";
import { createReceivedSamples } from "../../Services/Gateway/Web/app/field/received.js";
import { joined, nothing, protocolFor, receivedPlace, samplePath, shownOf, unknownProtocol, valuesLine } from "../../Services/Gateway/Web/water/field/received.js";
import { NoAnswer, Problem } from "../../Services/Gateway/Web/words/problem.js";
import { fieldOf, protocolOf } from "./field-samples.js";

/** @typedef {import("../../Services/Gateway/Web/water/field/received.js").Arrival} Arrival */
/** @typedef {import("../../Services/Gateway/Web/water/field/received.js").Received} Received */

/** @param {string} id @param {number} [version] @param {any} [more] @returns {Arrival} */
const arrival = (id, version = 1, more = {}) => ({
    id, version, state: "done", sentAt: "2026-11-30T11:00:00Z", device: "weir-1", name: "Weir", latitude: 48.2, longitude: 16.4, sender: "Eva", review: null,
    ownProtocol: null, sample: foundOf(), ...more,
});

/** @param {any} [more] */
const foundOf = (more = {}) => ({
    protocol: "river", protocolVersion: 1, begunAt: "2026-11-30T10:00:00Z", endedAt: null, zone: "UTC", utcOffset: 0, surveyors: [], weather: null, habitat: null,
    comment: null, position: null, values: [{ field: "oxygen", number: 8 }], ...more,
});

/** @param {string} id @param {number} version */
const withdrawn = (id, version) => arrival(id, version, { state: "withdrawn", sample: null, sender: null });

/** @param {readonly Arrival[]} items @param {Received} [known] @param {number} [most] */
const after = (items, known = nothing, most) => joined(known, { items, cursor: "c", hasMore: false }, most);

/** @param {Received} known */
const told = ({ rows }) => rows.map(({ id, version, state, isUpdate }) => `${id}${version} ${state}${isUpdate ? " update" : ""}`);

Deno.test("what came last stands first, and a newer version in the place of the one before", () => {
    same(told(after([arrival("a"), arrival("b")])), ["b1 done", "a1 done"]);
    same(told(after([arrival("a"), arrival("b"), arrival("a", 2)])), ["a2 done update", "b1 done"]);
    // The first version that a project received may be a later one.
    same(told(after([arrival("a", 3)])), ["a3 done"]);
});

Deno.test("a version that comes again is changed where it stands", () => {
    const known = after([arrival("a"), arrival("b")]);
    const reviewed = after([arrival("a", 1, { review: { review: "approved", note: null } })], known);
    same(told(reviewed), ["b1 done", "a1 done"]);
    same(reviewed.rows[1].review, { review: "approved", note: null });
    // A name that was forgotten in a former version makes nothing of the present one.
    const forgotten = after([arrival("a", 2), arrival("a", 1, { sender: null })]);
    same([told(forgotten), forgotten.rows[0].sender], [["a2 done update"], "Eva"]);
});

Deno.test("what is withdrawn leaves nothing of what was found", () => {
    const known = after([arrival("a"), arrival("b"), withdrawn("a", 1)]);
    same(told(known), ["a1 withdrawn update", "b1 done"]);
    same([known.rows[0].sample, known.rows[0].sender], [null, null]);
});

Deno.test("so many are listed, and those before are known to have come", () => {
    const known = after([arrival("a"), arrival("b"), arrival("c")], nothing, 2);
    same([told(known), known.former], [["c1 done", "b1 done"], ["a"]]);
    const later = after([arrival("a", 2)], known, 2);
    same([told(later), later.former], [["a2 done update", "c1 done"], ["b"]]);
});

Deno.test("the newest are not known before the end was reached, and are from then on", () => {
    const begun = joined(nothing, { items: [arrival("a")], cursor: "1", hasMore: true });
    same([begun.isWhole, begun.cursor], [false, "1"]);
    const whole = joined(begun, { items: [], cursor: "2", hasMore: false });
    same([whole.isWhole, joined(whole, { items: [], cursor: "3", hasMore: true }).isWhole], [true, true]);
});

Deno.test("a list begins when the newest are known, and says what it is without", () => {
    /** @param {any} listed @param {number} [most] */
    const shown = (listed, most = 10) => {
        const { rows, isBeginning, isEmpty, hasMore, note } = shownOf({ known: null, count: 0, trouble: null, ...listed }, most);
        return [rows.length, isBeginning ? "begins" : isEmpty ? "is empty" : hasMore ? "has more" : "is all", note];
    };
    const begun = joined(nothing, { items: [arrival("a")], cursor: "1", hasMore: true });
    const whole = after([arrival("a"), arrival("b")]);
    same([shown({}), shown({ known: begun, count: 1 })], [[0, "begins", null], [0, "begins", "reading"]]);
    same([shown({ known: after([]) }), shown({ known: whole }), shown({ known: whole }, 1)], [[0, "is empty", null], [2, "is all", null], [1, "has more", null]]);
    // What was read stands beside why the rest could not be.
    same([shown({ known: begun, trouble: "no" }), shown({ trouble: "no" })], [[1, "is all", null], [0, "is all", null]]);
    const many = { ...whole, former: ["c"] };
    same([shown({ known: many }), shown({ known: many }, 1)], [[2, "is all", "older"], [1, "has more", null]]);
});

Deno.test("no track is kept", () => {
    const known = after([arrival("a", 1, { sample: foundOf({ track: [[[0, 48, 16, null]]] }) })]);
    same([known.rows[0].sample && "track" in known.rows[0].sample, known.rows[0].sample?.protocol], [false, "river"]);
});

Deno.test("a sample is shown as one's own, or as one that a project received", () => {
    same([samplePath("0198"), samplePath("0198", "42")], ["/field/0198", "/field/0198?project=42"]);
    same([receivedPlace(arrival("a")), receivedPlace(arrival("a", 1, { name: null }))], ["Weir", "weir-1"]);
});

/** @type {any} */
const voice = {
    t: (/** @type {string} */ key, /** @type {any} */ { name, value, count, depth } = {}) =>
        key === "receivers.value" ? `${name}: ${value}` : key === "receivers.values_more" ? `${count} more` : key === "field.at_depth" ? `${name}, ${depth}` : key,
    format: { number: (/** @type {number} */ number) => String(number), withUnit: (/** @type {string} */ text, /** @type {string} */ unit) => unit === "" ? text : `${text} ${unit}` },
};

Deno.test("values are told by their protocol, the first of many", () => {
    const river = protocolOf([fieldOf("oxygen", "number", { label: "Oxygen", unit: "mg/L" })]);
    same(valuesLine(voice, foundOf(), river), "Oxygen: 8 mg/L");
    same(valuesLine(voice, foundOf({ values: [] }), river), "field.no_values");
    const many = foundOf({ values: [0, 1, 2, 3, 4, 5, 6, 7].map((depth) => ({ field: "oxygen", depth, number: 9 })) });
    same(valuesLine(voice, many, river).split(" · ").slice(-2), ["Oxygen, 5 m: 9 mg/L", "2 more"]);
});

Deno.test("the sender's own protocol goes before one that comes with the service", () => {
    const [own, river] = [{ ...protocolOf([]), name: "Own" }, protocolOf([])];
    same(protocolFor(arrival("a", 1, { ownProtocol: own }), [river])?.name, "Own");
    same(protocolFor(arrival("a"), [river])?.name, "River");
    same(protocolFor(arrival("a", 1, { sample: foundOf({ protocolVersion: 2 }) }), [river]), null);
    same(unknownProtocol(foundOf()).fields.map(({ label }) => label), ["oxygen"]);
});

/** @param {(since: string | null) => any} answer @param {any} [kept] */
function reading(answer, kept) {
    /** @type {(string | null)[]} */
    const asked = [];
    /** @type {any[]} */
    const written = [];
    const api = {
        /** @param {string} path @param {any} options @returns {Promise<any>} */
        async get(path, { query, project }) {
            same([path, project], ["/field-samples/received", "42"]);
            asked.push(query.since);
            return { data: await answer(query.since), tag: null, status: 200 };
        },
    };
    const store = { kept: () => Promise.resolve(kept), keepPage: (/** @type {string} */ _, /** @type {any} */ value) => Promise.resolve(void written.push(value)) };
    return { asked, written, received: createReceivedSamples({ api, store }, "42") };
}

/** @param {number} last */
const pages = (last) => (/** @type {string | null} */ since) => {
    const next = Number(since ?? 0) + 1;
    return { items: next > last ? [] : [arrival(`s${next}`)], cursor: String(Math.min(next, last)), hasMore: next < last };
};

Deno.test("all that came is read page by page, and after that what is new alone", async () => {
    const first = reading(pages(3));
    await first.received.read();
    same([first.asked, told(first.received.listed.value.known ?? nothing)], [[null, "1", "2"], ["s31 done", "s21 done", "s11 done"]]);
    const kept = first.written.at(-1);
    const second = reading(pages(4), kept);
    await second.received.read();
    same([second.asked, second.received.listed.value.known?.rows.length], [["3"], 4]);
});

Deno.test("a reading that breaks off goes on where it was", async () => {
    const broken = reading((since) => {
        if (since === "2") throw new NoAnswer(true);
        return pages(3)(since);
    });
    await broken.received.read();
    const { known, trouble, isReading } = broken.received.listed.value;
    same([known?.cursor, known?.isWhole, trouble instanceof NoAnswer, isReading], ["2", false, true, false]);
    const next = reading(pages(3), broken.written.at(-1));
    await next.received.read();
    same(next.asked, ["2"]);
});

Deno.test("a place that the service knows no more is the beginning", async () => {
    const kept = after([arrival("old")], { ...nothing, cursor: "gone" });
    const anew = reading((since) => {
        if (since === "gone") throw new Problem(400, { title: "No", errors: [{ parameter: "since", code: "cursor" }] }, null);
        return pages(1)(since);
    }, { ...kept, cursor: "gone" });
    await anew.received.read();
    same([anew.asked, told(anew.received.listed.value.known ?? nothing)], [["gone", null], ["s11 done"]]);
});

Deno.test("one that is listed no more is found among all, and one that never came is not", async () => {
    const kept = { ...after([]), cursor: "3", former: ["s2"] };
    const among = reading(pages(3), kept);
    same([(await among.received.find("s2"))?.id, among.asked], ["s2", ["3", null, "1", "2"]]);
    same(await reading(pages(3), kept).received.find("s9"), null);
    const away = reading(() => {
        throw new NoAnswer(true);
    }, after([arrival("a")]));
    same((await away.received.find("a"))?.id, "a");
    await rejects(away.received.find("b"), NoAnswer);
});
