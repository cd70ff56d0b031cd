/** A protocol that somebody makes, as it is kept on this device: all of it, with what was typed into the sheet of a field and not taken over. */

import { blankField, contentOf, makingOf } from "./making.js";

/** @typedef {import("./making.js").Making} Making */
/** @typedef {import("./making.js").MadeField} MadeField */
/** @typedef {import("./protocol.js").Protocol} Protocol */

/** of: what it was made of; version: of that; id: as which a new one went out, null: it never did. @typedef {{of: string | null, version: number, making: Making, id: string | null}} Made */

/**
 * Reads what is kept of a protocol, where it can still be taken up.
 * @param {any} kept
 * @param {string | null} of
 * @returns {Made | null}
 */
export function madeIn(kept, of) {
    const fields = kept?.making?.fields;
    const isWhole = kept?.of === of && typeof kept.version === "number" && typeof kept.making.name === "string" && Array.isArray(fields) && fields.every(({ parts }) => Array.isArray(parts));
    return isWhole ? kept : null;
}

/**
 * Whether the service has all of what somebody makes.
 * @param {Making} making
 * @param {Protocol} protocol
 */
export const isThere = (making, protocol) => unfinished(making) === null && JSON.stringify(contentOf(making)) === JSON.stringify(contentOf(makingOf(protocol)));

/** What was typed into the sheet of a field; null: all of it was taken over. @param {Making} making @param {number} index One beyond the last: of another one. */
export const typedAt = ({ fields, fresh }, index) => (index < fields.length ? fields[index].typed : fresh) ?? null;

/**
 * A protocol in the making, with what was typed into the sheet of a field.
 * @param {Making} making
 * @param {number} index
 * @param {MadeField | null} typed null: nothing.
 * @returns {Making}
 */
export function typing({ fresh, ...making }, index, typed) {
    const { fields } = making;
    const isNew = index >= fields.length;
    /** @param {MadeField} field */
    const plain = ({ typed: _, ...field }) => field;
    const said = plain(typed ?? blankField());
    const isSame = typed === null || JSON.stringify(said) === JSON.stringify(isNew ? blankField() : plain(fields[index]));
    if (isNew) return isSame ? making : { ...making, fresh: said };
    return { ...making, ...fresh ? { fresh } : {}, fields: fields.with(index, isSame ? plain(fields[index]) : { ...plain(fields[index]), typed: said }) };
}

/** The first field with what was not taken over; null: there is none. @param {Making} making @returns {number | null} */
export function unfinished({ fields, fresh }) {
    const index = fields.findIndex(({ typed }) => typed !== undefined);
    return index >= 0 ? index : fresh ? fields.length : null;
}
