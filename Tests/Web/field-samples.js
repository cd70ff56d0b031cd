/** Field samples of tests. */

import { begun } from "../../Services/Gateway/Web/water/field/draft.js";

/** @typedef {import("../../Services/Gateway/Web/water/field/protocol.js").Field} Field */
/** @typedef {import("../../Services/Gateway/Web/water/field/draft.js").Draft} Draft */

export const account = "2026-01-01T00:00:00.000001Z";
export const id = "01a22dce-ecae-7447-84aa-b561584c1b73";

/** @param {string} name @param {Field["kind"]} kind @param {Partial<Field>} [more] @returns {Field} */
export const fieldOf = (name, kind, more = {}) => ({ id: name, kind, label: name, each: "sample", ...more });

/** @param {readonly Field[]} fields */
export const protocolOf = (fields) => ({ id: "river", version: 1, name: "River", fields, stations: 4, depths: true });

const river = protocolOf([fieldOf("oxygen", "number"), fieldOf("temperature", "number")]);

/** @param {Partial<Draft>} [more] @returns {Draft} */
export const draftOf = (more = {}) => ({
    ...begun({ id, account, device: "weir", protocol: river, zone: "Europe/Berlin", utcOffset: 60, now: Date.parse("2026-11-30T10:00:00Z") }),
    ...more,
});

/** @param {string} name @param {Partial<import("../../Services/Gateway/Web/water/field/draft.js").DraftPhoto>} [more] */
export const photoOf = (name, more = {}) => ({ id: name, takenAt: "2026-11-30T10:05:00.000Z", type: "image/jpeg", bytes: 3, sent: false, ...more });

/**
 * What the service would answer for a content.
 * @param {import("../../Services/Gateway/Web/water/field/draft.js").Content} content
 * @param {number} version
 * @param {any} [more]
 * @returns {import("../../Services/Gateway/Web/water/field/draft.js").Sample}
 */
export const sampleOf = (content, version, more = {}) => ({
    ...content, id, version, author: { name: "Ana", isMe: true }, receivedAt: "2026-11-30T11:00:00Z", changedAt: "2026-11-30T11:00:00Z", review: null, photos: [], receivers: [],
    ...more,
});
