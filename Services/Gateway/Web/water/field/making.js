/**
 * A protocol of one's own while somebody makes it, letter by letter: what of it cannot be, by the rules of the service, and what is sent. Names of
 * parts in samples are made of the first words that somebody gave them, and never change after that.
 */

import { parseNumber } from "../../words/numbers.js";

/** @typedef {import("./protocol.js").Field} Field */
/** @typedef {import("./protocol.js").FieldKind} FieldKind */
/** @typedef {import("./protocol.js").Protocol} Protocol */

/** A choice, a class with its bounds, or a species. id: null until it is sent. @typedef {{id: string | null, label: string, from: string, to: string, scientific: string}} MadePart */

/**
 * @typedef {object} MadeField
 * @property {string | null} id null until it is sent.
 * @property {FieldKind} kind
 * @property {string} label
 * @property {string} help
 * @property {string} method
 * @property {string} parameter Empty: of none.
 * @property {string} unit Empty: none, or that of the parameter.
 * @property {string} minimum
 * @property {string} maximum
 * @property {readonly MadePart[]} parts
 * @property {boolean} required
 * @property {'sample' | 'station' | 'depth'} each
 * @property {MadeField} [typed] What was typed into its sheet and not taken over.
 */

/** fresh: what was typed into the sheet of another field. @typedef {{name: string, help: string, stations: string, depths: boolean, fields: readonly MadeField[], fresh?: MadeField}} Making */

/**
 * What is wrong, and which field it is about.
 * @typedef {{why: 'name' | 'stations' | 'noFields' | 'manyFields' | 'tooLarge'} | {why: FieldFault, field: number}} Fault
 * @typedef {'label' | 'each' | 'unit' | 'bounds' | 'order' | 'choices' | 'manyParts' | 'parts' | 'class' | 'species'} FieldFault
 */

/** @type {readonly FieldKind[]} */
export const kinds = Object.freeze(["number", "class", "choice", "text", "count", "flag"]);
export const mostFields = 100;
const mostStations = 50;
export const longestName = 80;
export const longestHelp = 500;
export const longestMethod = 200;
export const longestUnit = 16;
const longestID = 40;
const mostChoices = 50;
const mostSpecies = 100;
const mostBytes = 64 * 1_024;
const greatest = 1e9;

/** @type {Making} */
export const blank = Object.freeze({ name: "", help: "", stations: "", depths: false, fields: [] });

/** @returns {MadePart} */
export const blankPart = () => ({ id: null, label: "", from: "", to: "", scientific: "" });

/** @returns {MadeField} */
export const blankField = () => ({ id: null, kind: "number", label: "", help: "", method: "", parameter: "", unit: "", minimum: "", maximum: "", parts: [], required: false, each: "sample" });

/** Whether a kind has a list of parts. @param {FieldKind} kind */
export const hasParts = (kind) => kind === "class" || kind === "choice" || kind === "count";

/** Whether an answer of a kind is a number with a unit. @param {FieldKind} kind */
export const isMeasured = (kind) => kind === "number" || kind === "class";

/**
 * A protocol of the service, to be changed or as the beginning of another one. What is worked out comes with the service alone.
 * @param {Protocol} protocol
 * @returns {Making}
 */
export function makingOf({ name, help, stations, depths, fields }) {
    return { name, help: help ?? "", stations: stations === 0 ? "" : String(stations), depths, fields: fields.filter(({ meanOf }) => !meanOf?.length).map(madeField) };
}

/** @param {Field} field @returns {MadeField} */
function madeField({ id, kind, label, help, method, parameter, unit, minimum, maximum, choices = [], species = [], required = false, each = "sample" }) {
    const text = (/** @type {number | null | undefined} */ value) => value === null || value === undefined ? "" : String(value);
    const parts = [
        ...choices.map((choice) => ({ ...blankPart(), id: choice.id, label: choice.label, from: text(choice.from), to: text(choice.to) })),
        ...species.map((one) => ({ ...blankPart(), id: one.id, label: one.label, scientific: one.scientific ?? "" })),
    ];
    return { id, kind, label, help: help ?? "", method: method ?? "", parameter: parameter ?? "", unit: unit ?? "", minimum: text(minimum), maximum: text(maximum), parts, required, each };
}

/** @param {string} text @returns {number | null | undefined} null: none; undefined: it cannot be. */
function bound(text) {
    if (text.trim() === "") return null;
    const number = parseNumber(text);
    return number === null || Math.abs(number) > greatest ? undefined : number;
}

/** @param {string} text @returns {number | undefined} undefined: it cannot be. */
function stationsOf(text) {
    const count = bound(text) ?? (text.trim() === "" ? 0 : undefined);
    return count !== undefined && Number.isInteger(count) && count >= 0 && count <= mostStations ? count : undefined;
}

/**
 * Why a field cannot be; null: it can.
 * @param {MadeField} field
 * @param {Pick<Making, 'stations' | 'depths'>} making
 * @returns {FieldFault | null}
 */
export function fieldFault({ kind, label, unit, minimum, maximum, parts, each }, { stations, depths }) {
    if (label.trim() === "") return "label";
    if (each === "station" && !stationsOf(stations) || each === "depth" && !depths) return "each";
    if (unit.trim().length > longestUnit) return "unit";
    if (kind === "number") {
        const [least, most] = [bound(minimum), bound(maximum)];
        if (least === undefined || most === undefined) return "bounds";
        if (least !== null && most !== null && least > most) return "order";
    }
    if (!hasParts(kind)) return null;
    const named = parts.filter((part) => part.label.trim() !== "");
    if (kind === "count" ? named.length === 0 : named.length < 2) return kind === "count" ? "species" : "choices";
    if (named.length > (kind === "count" ? mostSpecies : mostChoices)) return "manyParts";
    if (parts.some((part) => part.label.trim() === "" && besides(kind, part).trim() !== "")) return "parts";
    return kind === "class" && named.some((part) => !isInterval(part)) ? "class" : null;
}

/** What is said of a part beside its name, where its field is of a kind. @param {FieldKind} kind @param {MadePart} part */
const besides = (kind, { from, to, scientific }) => kind === "class" ? from + to : kind === "count" ? scientific : "";

/** @param {MadePart} part */
function isInterval({ from, to }) {
    const [least, most] = [bound(from), bound(to)];
    if (least === undefined || most === undefined || least === null && most === null) return false;
    return least === null || most === null || least < most;
}

/**
 * The first fault of what somebody makes; null: it can be sent.
 * @param {Making} making
 * @returns {Fault | null}
 */
export function faultOf(making) {
    if (making.name.trim() === "") return { why: "name" };
    if (stationsOf(making.stations) === undefined) return { why: "stations" };
    if (making.fields.length === 0) return { why: "noFields" };
    if (making.fields.length > mostFields) return { why: "manyFields" };
    for (const [field, made] of making.fields.entries()) {
        const why = fieldFault(made, making);
        if (why) return { why, field };
    }
    return new TextEncoder().encode(JSON.stringify(contentOf(making))).length > mostBytes ? { why: "tooLarge" } : null;
}

/**
 * What is sent.
 * @param {Making} making Without a fault.
 */
export function contentOf({ name, help, stations, depths, fields }) {
    const ids = named(fields, "field");
    return {
        name: name.trim(), help: help.trim() || null, stations: stationsOf(stations) ?? 0, depths,
        fields: fields.map((field, index) => fieldContent(field, ids[index])),
    };
}

/** @param {MadeField} field @param {string} id */
function fieldContent({ kind, label, help, method, parameter, unit, minimum, maximum, parts, required, each }, id) {
    const listed = hasParts(kind) ? parts.filter((part) => part.label.trim() !== "") : [];
    const ids = named(listed, "part");
    const isNumber = kind === "number";
    return {
        id, kind, label: label.trim(), help: help.trim() || null, method: method.trim() || null, required, each,
        parameter: isMeasured(kind) && parameter || null, unit: isMeasured(kind) && unit.trim() || null,
        minimum: isNumber ? bound(minimum) ?? null : null, maximum: isNumber ? bound(maximum) ?? null : null,
        choices: kind === "count" ? [] : listed.map((part, index) => ({
            id: ids[index], label: part.label.trim(), from: kind === "class" ? bound(part.from) ?? null : null, to: kind === "class" ? bound(part.to) ?? null : null,
        })),
        species: kind === "count" ? listed.map((part, index) => ({ id: ids[index], label: part.label.trim(), scientific: part.scientific.trim() || null })) : [],
    };
}

/**
 * The names of parts, each its own: the one that it has, else one of its words.
 * @param {readonly {id: string | null, label: string}[]} parts
 * @param {string} otherwise Where its words have no letters that a name may have.
 */
function named(parts, otherwise) {
    const taken = new Set(parts.flatMap(({ id }) => id ?? []));
    return parts.map(({ id, label }) => {
        if (id !== null) return id;
        const stem = plain(label, "_").slice(0, longestID - 4) || otherwise;
        let [name, count] = [stem, 1];
        while (taken.has(name)) name = `${stem}_${count += 1}`;
        taken.add(name);
        return name;
    });
}

/** @param {string} text @param {string} between */
const plain = (text, between) => text.normalize("NFKD").toLowerCase().replace(/[\u0300-\u036f]/g, "").replace(/[^a-z0-9]+/g, between).replace(new RegExp(`^${between}+|${between}+$`, "g"), "");

/**
 * The id of a protocol that nobody has yet.
 * @param {string} name
 * @param {string} chance Letters and digits that nobody else has.
 */
export const protocolID = (name, chance) => `${(plain(name, "-").replace(/^[^a-z]+/, "") || "protocol").slice(0, longestID - chance.length - 1)}-${chance}`;

/**
 * A list in which one has changed its place with its neighbour.
 * @template T
 * @param {readonly T[]} list
 * @param {number} index
 * @param {-1 | 1} by
 * @returns {readonly T[]} The same where there is none.
 */
export function movedBy(list, index, by) {
    const other = index + by;
    if (!(index in list) || !(other in list)) return list;
    const next = [...list];
    [next[index], next[other]] = [next[other], next[index]];
    return next;
}
