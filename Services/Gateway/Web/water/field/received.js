/** Samples that a project received of others, as they are put together from what the service tells in the order in which it came. Decisions alone. */

import { keyOf } from "./protocol.js";
import { spotLabel } from "./text.js";
import { valueText } from "./values.js";

/** @typedef {import("./draft.js").Content} Content */
/** @typedef {import("./protocol.js").Protocol} Protocol */

/** What was found; the list is kept without its track, which is long. @typedef {Omit<Content, 'device' | 'state' | 'track'>} Found */

/**
 * A version of a sample as it came.
 * @typedef {object} Arrival
 * @property {string} id
 * @property {number} version
 * @property {'done' | 'withdrawn'} state
 * @property {string} sentAt
 * @property {string} device
 * @property {string | null} name What its owner called the place.
 * @property {number | null} latitude
 * @property {number | null} longitude
 * @property {string | null} sender null: somebody who is gone.
 * @property {Found | null} sample null: it was withdrawn.
 * @property {{review: string, note: string | null} | null} review
 * @property {Protocol | null} ownProtocol null: it comes with the service.
 */

/** The newest version of a sample. @typedef {Arrival & {isUpdate: boolean}} Row isUpdate: whether an earlier version of it was received. */

/**
 * What was received up to a place in its order.
 * @typedef {object} Received
 * @property {readonly Row[]} rows The last that came first.
 * @property {readonly string[]} former The samples that are listed no more, since so many came after them.
 * @property {string | null} cursor What follows is asked for with it; null: from the beginning.
 * @property {boolean} isWhole Whether the end was reached once: until then the newest are not known.
 */

/** So many of the newest are listed; the tables have all. */
const mostListed = 300;
/** So many are known not to be the first of their sample. */
const mostFormer = 10_000;
/** Of one sample, in a list. */
const mostValues = 6;

/** @type {Received} */
export const nothing = Object.freeze({ rows: [], former: [], cursor: null, isWhole: false });

/**
 * What is known with a further page of what came.
 * @param {Received} known
 * @param {{items: readonly Arrival[], cursor: string, hasMore: boolean}} page
 * @param {number} [most]
 * @returns {Received}
 */
export function joined(known, { items, cursor, hasMore }, most = mostListed) {
    const former = new Set(known.former);
    let rows = known.rows;
    for (const arrival of items) rows = withArrival(rows, former, arrival);
    for (const { id } of rows.slice(most)) former.add(id);
    for (const { id } of rows.slice(0, most)) former.delete(id);
    return { rows: rows.slice(0, most), former: [...former].slice(-mostFormer), cursor, isWhole: known.isWhole || !hasMore };
}

/**
 * @param {readonly Row[]} rows
 * @param {ReadonlySet<string>} former
 * @param {Arrival} arrival
 * @returns {readonly Row[]}
 */
function withArrival(rows, former, arrival) {
    const index = rows.findIndex(({ id }) => id === arrival.id);
    const known = rows[index];
    const next = slim(arrival, known !== undefined || former.has(arrival.id));
    if (!known) return [next, ...rows];
    // Something of a version was forgotten or reviewed: it is no newer for that.
    if (arrival.state === known.state && arrival.version <= known.version) {
        const present = arrival.version < known.version ? { ...known, isUpdate: true } : { ...next, isUpdate: known.isUpdate };
        return rows.with(index, present);
    }
    return [next, ...rows.toSpliced(index, 1)];
}

/**
 * @param {Arrival} arrival
 * @param {boolean} isUpdate
 * @returns {Row}
 */
function slim({ id, version, state, sentAt, device, name, latitude, longitude, sender, sample, review, ownProtocol }, isUpdate) {
    const found = /** @type {Partial<Content> | null} */ (sample);
    const { track: _, ...rest } = found ?? {};
    const kept = found && /** @type {Found} */ (rest);
    return { id, version, state, sentAt, device, name, latitude, longitude, sender, sample: kept, review, ownProtocol, isUpdate };
}

/**
 * What a list shows of what is known.
 * @param {{known: Received | null, count: number, trouble: unknown}} listed count: how many came just now; trouble: why not all of it could be read.
 * @param {number} most So many rows.
 */
export function shownOf({ known, count, trouble }, most) {
    // From the oldest on the newest come last: until then there is nothing to show first.
    const isBeginning = trouble === null && !known?.isWhole;
    const all = isBeginning ? [] : known?.rows ?? [];
    const rows = all.slice(0, most);
    const hasMore = rows.length < all.length;
    const hasFormer = !isBeginning && !hasMore && (known?.former.length ?? 0) > 0;
    const note = isBeginning && count > 0 ? /** @type {const} */ ("reading") : hasFormer ? /** @type {const} */ ("older") : null;
    return { rows, isBeginning, isEmpty: !isBeginning && trouble === null && all.length === 0, hasMore, note };
}

/**
 * Where a sample is shown: one of the person's own, or one that a project received.
 * @param {string} id
 * @param {string} [project]
 */
export function samplePath(id, project) {
    return project === undefined ? `/field/${id}` : `/field/${id}?project=${encodeURIComponent(project)}`;
}

/** @param {Pick<Arrival, 'name' | 'device'>} arrival */
export const receivedPlace = ({ name, device }) => name || device;

/**
 * The protocol by which a received sample was taken, among those that are known.
 * @param {Pick<Row, 'sample' | 'ownProtocol'>} row
 * @param {readonly Protocol[]} known
 */
export function protocolFor({ sample, ownProtocol }, known) {
    return ownProtocol ?? known.find(({ id, version }) => id === sample?.protocol && version === sample.protocolVersion) ?? null;
}

/**
 * The protocol of a sample that cannot be had now: its fields under their own names.
 * @param {Pick<Content, 'protocol' | 'protocolVersion' | 'values'>} sample
 * @returns {Protocol}
 */
export function unknownProtocol({ protocol, protocolVersion, values }) {
    const fields = [...new Set(values.map(({ field }) => field))].map((id) => ({ id, kind: /** @type {const} */ ("text"), label: id }));
    return { id: protocol, version: protocolVersion, name: protocol, fields, stations: 0, depths: false };
}

/**
 * The first values of a sample in words, and how many more there are.
 * @param {import("../../words/format.js").Voice} voice
 * @param {Found} sample
 * @param {Protocol} protocol
 */
export function valuesLine(voice, { values }, protocol) {
    const { t } = voice;
    if (values.length === 0) return t("field.no_values");
    const told = values.slice(0, mostValues).map((value) => {
        const field = protocol.fields.find(({ id }) => id === value.field);
        return t("receivers.value", { name: spotLabel(voice, keyOf(value.field, value), protocol), value: valueText(voice, field, value) });
    });
    const more = values.length - told.length;
    return [...told, ...more > 0 ? [t("receivers.values_more", { count: more })] : []].join(" · ");
}
