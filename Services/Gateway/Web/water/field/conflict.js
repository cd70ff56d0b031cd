/**
 * Two people, or one on two phones, have changed the same sample: what both say differently is chosen value by value, and what only one of them
 * has changed is taken from that one.
 */

import { keyOf } from "./protocol.js";

/** @typedef {import("./draft.js").Content} Content */
/** @typedef {import("./values.js").Value} Value */

/** A part of a sample of which there are two: a member of it, or a value by its key. @typedef {{part: string, mine: unknown, theirs: unknown}} Difference */

/** The members that are compared as wholes; `values` are compared one by one, and what is never changed is the same on both sides. */
const members = /** @type {const} */ (["begunAt", "endedAt", "surveyors", "weather", "habitat", "comment", "position", "track"]);
const prefix = "value ";

/** @param {string} part @returns {string | null} The key of a value; null: a member. */
export const valueKey = (part) => part.startsWith(prefix) ? part.slice(prefix.length) : null;

/**
 * @param {Content | null} base What both began from; null: that is not known.
 * @param {Content} mine
 * @param {Content} theirs
 * @param {Readonly<Record<string, 'mine' | 'theirs'>>} [chosen] By part.
 * @returns {{content: Content, open: Difference[]}} open: the parts that nobody has chosen of.
 */
export function merged(base, mine, theirs, chosen = {}) {
    const [parts, others, befores] = [partsOf(mine), partsOf(theirs), base ? partsOf(base) : null];
    /** @type {Difference[]} */
    const open = [];
    /** @type {Map<string, unknown>} */
    const taken = new Map();
    for (const part of new Set([...others.keys(), ...parts.keys()])) {
        const [own, their] = [parts.get(part), others.get(part)];
        const before = befores?.get(part);
        const isMineAlone = befores !== null && same(before, their);
        const isTheirsAlone = befores !== null && same(before, own);
        if (same(own, their) || isMineAlone) taken.set(part, own);
        else if (isTheirsAlone) taken.set(part, their);
        else {
            if (!chosen[part]) open.push({ part, mine: own, theirs: their });
            taken.set(part, chosen[part] === "theirs" ? their : own);
        }
    }
    const values = [...taken].flatMap(([part, value]) => valueKey(part) !== null && value !== undefined ? [/** @type {Value} */ (value)] : []);
    const whole = Object.fromEntries(members.map((member) => [member, taken.get(member)]));
    return { content: /** @type {Content} */ ({ ...mine, ...whole, values }), open };
}

/** @param {Content} content @returns {Map<string, unknown>} */
function partsOf(content) {
    return new Map([
        ...members.map((member) => /** @type {[string, unknown]} */ ([member, content[member]])),
        ...content.values.map((value) => /** @type {[string, unknown]} */ ([prefix + keyOf(value.field, value), value])),
    ]);
}

/** @param {unknown} one @param {unknown} other */
const same = (one, other) => plain(one) === plain(other);

/**
 * The same text for the same thing, whatever the order of its members; what is absent, empty or null says the same, and so do lists of counts in
 * another order.
 * @param {unknown} value
 * @returns {string}
 */
function plain(value) {
    if (value === null || value === undefined || Array.isArray(value) && value.length === 0) return "";
    if (typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value)) return String(Date.parse(value));
    if (typeof value !== "object") return JSON.stringify(value);
    if (Array.isArray(value)) return `[${(value[0]?.species ? value.map(plain).sort() : value.map(plain)).join()}]`;
    const entries = Object.entries(value).filter(([, one]) => plain(one) !== "").sort(([one], [other]) => one < other ? -1 : 1);
    return entries.length === 0 ? "" : `{${entries.map(([name, one]) => `${name}:${plain(one)}`).join()}}`;
}
