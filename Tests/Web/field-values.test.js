/** Values of field samples: read as they are typed, sent as the service takes them, never a zero for what nobody said. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { keyOf, placedOf } from "../../Services/Gateway/Web/water/field/protocol.js";
import { counted, meanOf, openOf, read, typedOf, valuesOf } from "../../Services/Gateway/Web/water/field/values.js";
import { fieldOf, protocolOf } from "./field-samples.js";

const oxygen = fieldOf("oxygen", "number", { minimum: 0, maximum: 30 });
/** @param {import("../../Services/Gateway/Web/water/field/values.js").Typed} typed */
const said = (typed) => read(oxygen, typed);

Deno.test("numbers are read with both marks, and the ends of what a method tells", () => {
    same(said({ text: " 7,4 " }), { said: { number: 7.4 } });
    same(said({ text: "<0.02" }), { said: { below: 0.02 } });
    same(said({ text: "> 10" }), { said: { above: 10 } });
    same(said({ text: "３" }), { said: { number: 3 } }, "in full width");
    same(said({ text: "0.02", side: "below" }), { said: { below: 0.02 } });
    same(said({ text: "0.02", side: "above" }), { said: { above: 0.02 } });
    same([said({ text: "7.4.1" }), said({ text: "<" })], [{ fault: "noNumber" }, { fault: "noNumber" }]);
    same([said({ text: "-1" }), said({ text: "31" })], [{ fault: "outside" }, { fault: "outside" }]);
});

Deno.test("a method's end is no less than nothing, also of what may be below zero", () => {
    const redox = fieldOf("redox", "number", { minimum: -1000, maximum: 1000 });
    same(read(redox, { text: "-200" }), { said: { number: -200 } });
    same([read(redox, { text: "<-200" }), read(redox, { text: "-1", side: "above" })], [{ fault: "outside" }, { fault: "outside" }]);
});

Deno.test("nothing is no zero, and what was not measured is neither", () => {
    same([said({ text: " " }), said({}), read(oxygen, undefined)], [null, null, null]);
    same(said({ not: "no kit " }), { said: { notMeasured: "no kit" } });
    same(said({ text: "0" }), { said: { number: 0 } });
    same(read(fieldOf("foam", "flag"), {}), null);
    same(read(fieldOf("foam", "flag"), { flag: false }), { said: { flag: false } });
    same(read(fieldOf("smell", "choice", { choices: [{ id: "none", label: "None" }] }), { choice: "gone" }), null, "a choice that there is not");
    same(read(fieldOf("note", "text"), { text: ` ${"x".repeat(600)}` }), { said: { text: "x".repeat(500) } });
});

Deno.test("animals are counted by taps, and never below none", () => {
    const once = counted(undefined, "leech", 1);
    same(once, { counts: { leech: 1 } });
    same(counted(counted(once, "leech", -1), "leech", -1), { counts: { leech: 0 } }, "somebody has looked");
    same(counted({ counts: { leech: 100_000 } }, "leech", 1), { counts: { leech: 100_000 } });
    same(read(fieldOf("animals", "count"), counted(once, "mayfly", 1)), { said: { count: [{ species: "leech", count: 1 }, { species: "mayfly", count: 1 }] } });
});

Deno.test("values stand in the protocol's order, at their stations and depths, and come back as they were typed", () => {
    const protocol = protocolOf([
        fieldOf("oxygen", "number", { each: "depth" }), fieldOf("colour", "choice", { each: "station", choices: [{ id: "brown", label: "Brown" }] }), fieldOf("foam", "flag"),
        fieldOf("animals", "count"), fieldOf("nitrate", "number"),
    ]);
    const values = {
        [keyOf("foam")]: { flag: true }, [keyOf("oxygen", { depth: 2.5 })]: { text: "6" }, [keyOf("oxygen", { depth: 0 })]: { text: "<1" },
        [keyOf("colour", { station: "2" })]: { choice: "brown" }, [keyOf("colour", { station: "9" })]: { choice: "brown" }, [keyOf("animals")]: { counts: { leech: 2 } },
        [keyOf("nitrate")]: { not: "no kit" },
    };
    const sent = valuesOf(protocol, { values, stations: ["1", "2"], depths: [0, 2.5] });
    same(sent, [
        { field: "oxygen", depth: 0, below: 1 }, { field: "oxygen", depth: 2.5, number: 6 }, { field: "colour", station: "2", choice: "brown" }, { field: "foam", flag: true },
        { field: "animals", count: [{ species: "leech", count: 2 }] }, { field: "nitrate", notMeasured: "no kit" },
    ]);
    // The service names all members.
    const answered = sent.map((value) => ({ station: null, depth: null, number: null, below: null, above: null, choice: null, count: null, text: null, flag: null, notMeasured: null, ...value }));
    same(valuesOf(protocol, { values: typedOf(answered), stations: ["1", "2"], depths: [0, 2.5] }), sent);
    same(placedOf(keyOf("oxygen", { depth: 2.5 })), { field: "oxygen", depth: 2.5 });
});

Deno.test("what hinders a sample is what is missing and what cannot be read", () => {
    const protocol = protocolOf([fieldOf("oxygen", "number", { required: true }), fieldOf("ph", "number", { maximum: 14 }), fieldOf("mean", "number", { required: true, meanOf: ["ph"] })]);
    const open = (/** @type {any} */ values) => openOf(protocol, { values, stations: [], depths: [] }).map(({ key, why }) => `${key} ${why}`);
    same(open({ [keyOf("ph")]: { text: "15" } }), ["oxygen|| missing", "ph|| outside"]);
    same(open({ [keyOf("oxygen")]: { not: "no kit" } }), [], "what was not measured is said");
});

Deno.test("a mean is of numbers alone", () => {
    const mean = fieldOf("mean", "number", { meanOf: ["down", "up"] });
    const protocol = protocolOf([fieldOf("down", "number"), fieldOf("up", "number"), mean]);
    equal(meanOf(protocol, mean, {}, { [keyOf("down")]: { text: "3.2" }, [keyOf("up")]: { text: "3" } }), 3.1);
    equal(meanOf(protocol, mean, {}, { [keyOf("down")]: { text: "3.2" } }), null);
    equal(meanOf(protocol, mean, {}, { [keyOf("down")]: { text: ">3.2" }, [keyOf("up")]: { text: "3" } }), null);
    same(valuesOf(protocol, { values: { [keyOf("mean")]: { text: "3" } }, stations: [], depths: [] }), [], "it is never sent");
});
