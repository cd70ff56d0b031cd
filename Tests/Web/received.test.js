/** What a project received: how it is told, and how it is read. */

import { deepStrictEqual as same, rejects } from "node:assert/strict";
import { createReceivedSamples } from "../../Services/Gateway/Web/app/field/received.js";
import { protocolFor, receivedPlace, samplePath, unknownProtocol, valuesLine } from "../../Services/Gateway/Web/water/field/received.js";
import { NoAnswer, Problem } from "../../Services/Gateway/Web/words/problem.js";
import { fieldOf, protocolOf } from "./field-samples.js";

/** @typedef {import("../../Services/Gateway/Web/water/field/received.js").Arrival} Arrival */

/** @param {string} id @param {number} [version] @param {any} [more] @returns {Arrival} */
const arrival = (id, version = 1, more = {}) => ({
    id, version, state: "done", sentAt: "2026-11-30T11:00:00Z", device: "weir-1", name: "Weir", latitude: 48.2, longitude: 16.4, sender: "Eva", review: null,
    ownProtocol: null, sample: foundOf(), ...more,
});

/** @param {any} [more] */
const foundOf = (more = {}) => ({
    protocol: "river", protocolVersion: 1, begunAt: "2026-11-30T10:00:00Z", endedAt: null, zone: "UTC", utcOffset: 0, surveyors: [], weather: null, habitat: null,
    comment: null, position: null, track: [], values: [{ field: "oxygen", number: 8 }], ...more,
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

/** @param {(path: string, before: string | null) => any} answer @param {any} [kept] */
function reading(answer, kept) {
    /** @type {string[]} */
    const asked = [];
    /** @type {any[]} */
    const written = [];
    const api = {
        /** @param {string} path @param {any} options @returns {Promise<any>} */
        async get(path, { query, project }) {
            same([project, query?.order], ["42", query && "newest"]);
            asked.push(query ? `before ${query.before}` : path);
            return { data: await answer(path, query?.before ?? null), tag: null, status: 200 };
        },
    };
    const keepPage = (/** @type {string} */ _, /** @type {any} */ value) => Promise.resolve(void written.push(value));
    const store = { kept: () => Promise.resolve(kept), keep: keepPage, keepPage };
    return { asked, written, received: createReceivedSamples({ api, store }, "42") };
}

/** Two samples a page, of five. @param {string} _ @param {string | null} before */
const pages = (_, before) => {
    const last = Number(before ?? 6);
    const items = [last - 1, last - 2].filter((number) => number > 0).map((number) => arrival(`s${number}`));
    return { items, cursor: String(last - items.length), hasMore: last - items.length > 1 };
};

const away = () => {
    throw new NoAnswer(true);
};

Deno.test("the newest are read first, those before them as they are asked for, and their beginning is kept", async () => {
    const { asked, written, received } = reading(pages);
    const told = () => received.listed.value.items?.map(({ id }) => id);
    await received.read();
    same([told(), received.listed.value.next], [["s5", "s4"], "4"]);
    for (let press = 0; press < 3; press += 1) await received.readMore();
    same([told(), received.listed.value.next], [["s5", "s4", "s3", "s2", "s1"], null]);
    same([asked, written.flat().map(({ id }) => id)], [["before null", "before 4", "before 2"], ["s5", "s4"]]);
});

Deno.test("without a connection the list is as it was kept, and says why", async () => {
    const { received } = reading(away, [arrival("a")]);
    await received.read();
    const { items, isOld, trouble } = received.listed.value;
    same([items?.length, isOld, trouble instanceof NoAnswer], [1, true, true]);
});

Deno.test("one sample is as the service has it, or as it was kept; one that never came is not there", async () => {
    const whole = reading((path) => arrival(path.slice(-1)));
    same([(await whole.received.find("b"))?.id, whole.asked], ["b", ["/field-samples/received/b"]]);
    const none = reading(() => {
        throw new Problem(404, { title: "There is no such thing" }, null);
    }, [arrival("b")]);
    same(await none.received.find("b"), null);
    const kept = reading(away, [arrival("a")]);
    same((await kept.received.find("a"))?.id, "a");
    await rejects(kept.received.find("b"), NoAnswer);
});
