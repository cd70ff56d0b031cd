/** Values of field samples as a person leaves them while typing, and as the service takes them. Nothing empty is ever a zero. */

import { parseNumber } from "../../words/numbers.js";
import { isEntered, keyOf, placedOf, spotsOf } from "./protocol.js";

/** @typedef {import("./protocol.js").Field} Field */
/** @typedef {import("./protocol.js").Protocol} Protocol */

/**
 * What a person has said of one field so far.
 * @typedef {object} Typed
 * @property {string} [text] Of a number or a text, letter by letter.
 * @property {'below' | 'above'} [side] The number is the end of what the method can tell.
 * @property {string} [choice]
 * @property {Readonly<Record<string, number>>} [counts] By species.
 * @property {boolean} [flag]
 * @property {string} [not] Why it was not measured.
 */

/**
 * A value as the service has it: one of the members beside where it was measured.
 * @typedef {{field: string, station?: string | null, depth?: number | null, number?: number | null, below?: number | null, above?: number | null,
 *     choice?: string | null, count?: readonly {species: string, count: number}[] | null, text?: string | null, flag?: boolean | null,
 *     notMeasured?: string | null}} Value
 */

/** @typedef {Omit<Value, 'field' | 'station' | 'depth'>} Said */
/** @typedef {'noNumber' | 'outside'} Fault */

export const longestText = 500;
export const longestReason = 100;
/** So many values the service takes of one sample. */
export const mostValues = 300;
/** More of one animal is a slip. */
const mostOfOne = 100_000;

/**
 * What was typed as a value; null where nothing is said yet.
 * @param {Field} field
 * @param {Typed | undefined} typed
 * @returns {{said: Said} | {fault: Fault} | null}
 */
export function read(field, typed) {
    if (!typed) return null;
    if (typed.not !== undefined) return typed.not.trim() === "" ? null : { said: { notMeasured: typed.not.trim().slice(0, longestReason) } };
    const text = typed.text?.trim() ?? "";
    if (field.kind === "number") return text === "" ? null : readNumber(field, text, typed.side);
    if (field.kind === "text") return text === "" ? null : { said: { text: text.slice(0, longestText) } };
    if (field.kind === "flag") return typed.flag === undefined ? null : { said: { flag: typed.flag } };
    if (field.kind === "count") return typed.counts && Object.keys(typed.counts).length > 0 ? { said: { count: listed(typed.counts) } } : null;
    const choice = field.choices?.find(({ id }) => id === typed.choice);
    return choice ? { said: { choice: choice.id } } : null;
}

/**
 * A number, also as meters and kits print the ends of what they tell: "<0.02", "> 10".
 * @param {Field} field
 * @param {string} text
 * @param {Typed["side"]} side
 * @returns {{said: Said} | {fault: Fault}}
 */
function readNumber({ minimum, maximum }, text, side) {
    const [, mark = "", digits = ""] = /^([<>]?)\s*(.*)$/u.exec(text.normalize("NFKC")) ?? [];
    const number = parseNumber(digits);
    if (number === null) return { fault: "noNumber" };
    const end = mark === "" ? side : mark === "<" ? "below" : "above";
    // The end of what a method can tell is no less than nothing, also where the quantity may be.
    if (number < Math.max(minimum ?? -Infinity, end ? 0 : -Infinity) || number > (maximum ?? Infinity)) return { fault: "outside" };
    if (end === "below") return { said: { below: number } };
    return { said: end === "above" ? { above: number } : { number } };
}

/**
 * The values of a draft as they are sent, in the order of the protocol.
 * @param {Protocol} protocol
 * @param {{values: Readonly<Record<string, Typed>>, stations: readonly string[], depths: readonly number[]}} draft
 * @returns {Value[]}
 */
export function valuesOf(protocol, draft) {
    return protocol.fields.filter(isEntered).flatMap((field) =>
        spotsOf(field, draft).flatMap((spot) => {
            const found = read(field, draft.values[keyOf(field.id, spot)]);
            return found && "said" in found ? [{ field: field.id, ...spot, ...found.said }] : [];
        })
    );
}

/**
 * What hinders a sample from being done: what cannot be read, and what the protocol wants and nobody has said.
 * @param {Protocol} protocol
 * @param {Parameters<typeof valuesOf>[1]} draft
 * @returns {{key: string, why: Fault | 'missing'}[]}
 */
export function openOf(protocol, draft) {
    return protocol.fields.filter(isEntered).flatMap((field) =>
        spotsOf(field, draft).flatMap((spot) => {
            const key = keyOf(field.id, spot);
            const found = read(field, draft.values[key]);
            const why = found && "fault" in found ? found.fault : found === null && field.required ? "missing" : null;
            return why === null ? [] : [{ key, why: /** @type {Fault | 'missing'} */ (why) }];
        })
    );
}

/**
 * What a person would have typed for values of the service.
 * @param {readonly Value[]} values
 * @returns {Record<string, Typed>}
 */
export function typedOf(values) {
    return Object.fromEntries(values.map((value) => [keyOf(value.field, value), typedOfOne(value)]));
}

/** @param {Said} value @returns {Typed} */
function typedOfOne({ number, below, above, choice, count, text, flag, notMeasured }) {
    if (isSaid(notMeasured)) return { not: notMeasured };
    if (isSaid(number)) return { text: String(number) };
    if (isSaid(below)) return { text: String(below), side: "below" };
    if (isSaid(above)) return { text: String(above), side: "above" };
    if (isSaid(count)) return { counts: Object.fromEntries(count.map((one) => [one.species, one.count])) };
    if (isSaid(flag)) return { flag };
    return isSaid(choice) ? { choice } : { text: text ?? "" };
}

/**
 * @template T
 * @param {T | null | undefined} value
 * @returns {value is T}
 */
const isSaid = (value) => value !== null && value !== undefined;

/** @param {Readonly<Record<string, number>>} counts */
const listed = (counts) => Object.entries(counts).map(([species, count]) => ({ species, count }));

/**
 * The mean that a field is of others at its spot; null while one of them is no number.
 * @param {Protocol} protocol
 * @param {Field} field
 * @param {import("./protocol.js").Spot} spot
 * @param {Readonly<Record<string, Typed>>} values
 * @returns {number | null}
 */
export function meanOf(protocol, field, spot, values) {
    const numbers = (field.meanOf ?? []).map((id) => {
        const found = protocol.fields.find((one) => one.id === id);
        const value = found && read(found, values[keyOf(id, spot)]);
        return value && "said" in value ? value.said.number ?? null : null;
    });
    if (numbers.length === 0 || numbers.includes(null)) return null;
    return numbers.reduce((/** @type {number} */ sum, number) => sum + (number ?? 0), 0) / numbers.length;
}

/**
 * One more or one less of a species; none of it is counted as none, since somebody has looked.
 * @param {Typed | undefined} typed
 * @param {string} species
 * @param {number} by
 * @returns {Typed}
 */
export function counted(typed, species, by) {
    const counts = typed?.counts ?? {};
    const next = Math.min(mostOfOne, Math.max(0, (counts[species] ?? 0) + by));
    return { counts: { ...counts, [species]: next } };
}

/**
 * A value in words.
 * @param {import("../../words/format.js").Voice} voice
 * @param {Field | undefined} field
 * @param {Said} value
 */
export function valueText({ t, format }, field, value) {
    const { number, below, above, choice, count, text, flag, notMeasured } = value;
    const unit = field?.unit ?? "";
    /** @param {number} one */
    const figure = (one) => format.withUnit(format.number(one, String(one).split(".")[1]?.length ?? 0), unit);
    if (isSaid(notMeasured)) return t("field.not_measured_why", { why: notMeasured });
    if (isSaid(number)) return figure(number);
    if (isSaid(below)) return t("field.below", { value: figure(below) });
    if (isSaid(above)) return t("field.above", { value: figure(above) });
    if (isSaid(flag)) return t(flag ? "field.yes" : "field.no");
    if (isSaid(count)) return countText({ t }, field, count);
    if (isSaid(choice)) return field?.choices?.find(({ id }) => id === choice)?.label ?? choice;
    return text ?? "";
}

/**
 * @param {Pick<import("../../words/format.js").Voice, "t">} voice
 * @param {Field | undefined} field
 * @param {readonly {species: string, count: number}[]} counts
 */
function countText({ t }, field, counts) {
    const found = counts.filter(({ count }) => count > 0);
    if (found.length === 0) return t("field.none_found");
    const label = (/** @type {string} */ id) => field?.species?.find((one) => one.id === id)?.label ?? id;
    return found.map(({ species, count }) => t("field.counted", { name: label(species), count })).join(" · ");
}

/** @param {string} key @param {Protocol} protocol */
export function labelOf(key, protocol) {
    const { field, station, depth } = placedOf(key);
    const label = protocol.fields.find(({ id }) => id === field)?.label ?? field;
    return { label, station, depth };
}
