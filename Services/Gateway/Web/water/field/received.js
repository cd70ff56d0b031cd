/** Samples that a project received of others. Decisions alone. */

import { keyOf } from "./protocol.js";
import { spotLabel } from "./text.js";
import { valueText } from "./values.js";

/** @typedef {import("./draft.js").Content} Content */
/** @typedef {import("./protocol.js").Protocol} Protocol */

/** What was found; in lists its track is empty. @typedef {Omit<Content, 'device' | 'state'>} Found */

/**
 * A sample in its newest version.
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

/** Of one sample, in a list. */
const mostValues = 6;

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
 * @param {Pick<Arrival, 'sample' | 'ownProtocol'>} arrival
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
