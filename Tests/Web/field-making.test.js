/** Protocols of one's own: what cannot be, by the rules of the service, and what is sent; names in samples never change. */

import { deepStrictEqual as same, match, strictEqual as equal } from "node:assert/strict";
import { blank, blankField, blankPart, contentOf, faultOf, fieldFault, makingOf, movedBy, protocolID } from "../../Services/Gateway/Web/water/field/making.js";
import { fieldOf, protocolOf } from "./field-samples.js";

/** @typedef {import("../../Services/Gateway/Web/water/field/making.js").MadeField} MadeField */

/** @param {Partial<MadeField>} [more] @returns {MadeField} */
const made = (more = {}) => ({ ...blankField(), label: "Depth", ...more });
/** @param {string} label @param {Partial<ReturnType<typeof blankPart>>} [more] */
const part = (label, more = {}) => ({ ...blankPart(), label, ...more });
const making = { ...blank, name: "Pond", fields: [made()] };
const nowhere = { stations: "", depths: false };

Deno.test("what somebody makes says its first fault, as the service would refuse it", () => {
    equal(faultOf(making), null);
    same(faultOf({ ...making, name: " " }), { why: "name" });
    for (const stations of ["-1", "51", "1.5", "x"]) same(faultOf({ ...making, stations }), { why: "stations" });
    for (const stations of ["", "0", "50", "５"]) equal(faultOf({ ...making, stations }), null);
    same(faultOf({ ...making, fields: [] }), { why: "noFields" });
    same(faultOf({ ...making, fields: Array.from({ length: 101 }, () => made()) }), { why: "manyFields" });
    same(faultOf({ ...making, fields: [made(), made({ label: "" })] }), { why: "label", field: 1 });
    same(faultOf({ ...making, fields: Array.from({ length: 100 }, () => made({ help: "水".repeat(500) })) }), { why: "tooLarge" }, "in bytes");
});

Deno.test("a field is judged by its kind", () => {
    const cases = /** @type {[Partial<MadeField>, string | null][]} */ ([
        [{}, null], [{ label: " " }, "label"], [{ each: "station" }, "each"], [{ each: "depth" }, "each"], [{ unit: "u".repeat(17) }, "unit"],
        [{ minimum: "x" }, "bounds"], [{ maximum: "2e9" }, "bounds"], [{ minimum: "2", maximum: "1,5" }, "order"], [{ minimum: "1,5", maximum: "1.5" }, null],
        [{ kind: "text", minimum: "x" }, null], [{ kind: "choice" }, "choices"], [{ kind: "choice", parts: [part("a"), part("")] }, "choices"],
        [{ kind: "choice", parts: [part("a"), part("b")] }, null], [{ kind: "choice", parts: Array.from({ length: 51 }, () => part("a")) }, "manyParts"],
        [{ kind: "class", parts: [part("a"), part("b", { to: "1" })] }, "class"], [{ kind: "class", parts: [part("a", { from: "1" }), part("b", { from: "1", to: "1" })] }, "class"],
        [{ kind: "class", parts: [part("a", { to: "1" }), part("b", { from: "1" })] }, null], [{ kind: "class", parts: [part("a", { to: "1" }), part("b", { from: "1" }), part("", { from: "2" })] }, "parts"],
        [{ kind: "choice", parts: [part("a"), part("b"), part("", { from: "2", scientific: "Hirudinea" })] }, null], [{ kind: "count", parts: [part("Leech"), part("", { scientific: "Asellus" })] }, "parts"],
        [{ kind: "count" }, "species"], [{ kind: "count", parts: [part("Leech")] }, null],
    ]);
    for (const [more, why] of cases) equal(fieldFault(made(more), nowhere), why, JSON.stringify(more));
    same([fieldFault(made({ each: "station" }), { stations: "2", depths: false }), fieldFault(made({ each: "depth" }), { stations: "", depths: true })], [null, null]);
});

Deno.test("each part is sent under a name of its own, of the letters that names have", () => {
    const fields = [made({ label: "Größe, Fluß" }), made({ label: "größe fluss" }), made({ label: "Größe, Fluß" }), made({ label: "濁り" }), made({ label: "色", kind: "choice", parts: [part("澄"), part(""), part("濁")] })];
    const content = contentOf({ ...making, stations: " 4 ", depths: true, fields });
    same([content.stations, content.depths, content.help], [4, true, null]);
    const ids = content.fields.map(({ id }) => id);
    equal(new Set(ids).size, 5);
    for (const id of ids) match(id, /^[a-z0-9_-]{1,40}$/);
    same(content.fields[4].choices, [{ id: "part", label: "澄", from: null, to: null }, { id: "part_2", label: "濁", from: null, to: null }]);
    match(protocolID("1. Our pond", "0a1b2c3d"), /^our-pond-0a1b2c3d$/);
    match(protocolID("池", "0a1b2c3d"), /^protocol-0a1b2c3d$/);
    equal(protocolID("p".repeat(80), "0a1b2c3d").length, 40);
});

Deno.test("what a kind does not have is not sent, and numbers are read with either mark", () => {
    const all = { parameter: "temperature", unit: "C", minimum: "−1,5", maximum: "40", parts: [part("a", { from: "1", scientific: "A" }), part("b", { to: "2" })] };
    const [number, text, classed, count] = contentOf({ ...making, fields: (/** @type {const} */ (["number", "text", "class", "count"])).map((kind) => made({ ...all, kind })) }).fields;
    same([number.parameter, number.unit, number.minimum, number.maximum, number.choices], ["temperature", "C", -1.5, 40, []]);
    same([text.parameter, text.unit, text.minimum, text.choices, text.species], [null, null, null, [], []]);
    same([classed.choices, classed.minimum], [[{ id: "a", label: "a", from: 1, to: null }, { id: "b", label: "b", from: null, to: 2 }], null]);
    same([count.species, count.choices], [[{ id: "a", label: "a", scientific: "A" }, { id: "b", label: "b", scientific: null }], []]);
});

Deno.test("a protocol comes back as it was, with its names whatever it is called now; what is worked out stays with the service", () => {
    const choices = [{ id: "x", label: "clear", from: null, to: 2 }, { id: "y", label: "brown", from: 2, to: null }];
    const protocol = { ...protocolOf([fieldOf("oxygen", "number", { unit: "mg/L", minimum: 0, required: true }), fieldOf("colour", "class", { choices, each: "station" }), fieldOf("mean", "number", { meanOf: ["oxygen"] })]), help: "Slowly" };
    const back = makingOf(protocol);
    const content = contentOf({ ...back, fields: back.fields.map((field) => ({ ...field, label: "Another", parts: field.parts.map((one) => ({ ...one, label: `${one.label}!` })) })) });
    same(content.fields.map(({ id }) => id), ["oxygen", "colour"]);
    same(content.fields[1].choices.map(({ id, label, from, to }) => [id, label, from, to]), [["x", "clear!", null, 2], ["y", "brown!", 2, null]]);
    same([content.help, content.stations, content.depths, content.fields[0].required, content.fields[0].minimum], ["Slowly", 4, true, true, 0]);
    equal(faultOf(back), null);
});

Deno.test("fields change their places with their neighbours, and with nothing beyond the ends", () => {
    const list = ["a", "b", "c"];
    same([movedBy(list, 1, -1), movedBy(list, 1, 1)], [["b", "a", "c"], ["a", "c", "b"]]);
    equal(movedBy(list, 0, -1), list);
    equal(movedBy(list, 2, 1), list);
});
