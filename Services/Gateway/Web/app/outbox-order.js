/** The order of the outbox, the effect of a new row on those that wait, and the meaning of an answer for a row: decisions alone. */

import { isProblem, NoAnswer, SignedOut } from "../words/problem.js";

/**
 * A deed of a person: one request.
 * @typedef {object} Deed
 * @property {string} id
 * @property {'PUT' | 'DELETE' | 'POST'} method
 * @property {string} path Below /api/v1.
 * @property {unknown} [body] Sent as JSON; an ArrayBuffer is sent as it is.
 * @property {string} [type] Of an ArrayBuffer.
 * @property {string} [ifMatch] The version that a change knows.
 * @property {string} [stamp] The member of the body that says when it is sent, by this device's clock.
 * @property {string} subject Deeds of one subject are sent in the order of making.
 * @property {string | null} [after] The id of a row that has to be answered before, as a photo waits for its entry.
 * @property {unknown} [about] What screens show of it meanwhile.
 */

/**
 * Why the service took it for good that something is not done.
 * @typedef {{status: number, code: string, title: string, detail: string}} Refusal
 */

/**
 * A deed on its way. project: as which it is done; null: as the person. failingSince: when the service first answered that it could not just now.
 * @typedef {Deed & {seq: number, account: string, project?: string | null, at: number, isTried: boolean, failingSince?: number, refusal: Refusal | null}} Row
 */

/** @typedef {'waiting' | 'sending' | 'refused'} RowState */

/**
 * The next row to send: the first that nothing has to go before.
 * @param {readonly Row[]} rows Of one account, in the order of making.
 * @param {ReadonlySet<number>} passed Those that were tried in this round.
 * @returns {Row | null}
 */
export function nextRow(rows, passed) {
    return rows.find((row, index) =>
        row.refusal === null && !passed.has(row.seq) &&
        !rows.slice(0, index).some((earlier) => earlier.subject === row.subject || earlier.id === row.after)
    ) ?? null;
}

/**
 * A row with all that waits for its answer.
 * @param {readonly Row[]} rows
 * @param {Row} row
 * @returns {Row[]}
 */
export function withDependents(rows, row) {
    const later = rows.filter((other) => other.seq > row.seq && other.after === row.id && other !== row);
    return [row, ...later.flatMap((other) => withDependents(rows, other))];
}

/**
 * The effect of a new deed on the rows: deeds that the service never heard of are changed or taken back here.
 * @param {readonly Row[]} rows Of the same account.
 * @param {Deed} deed
 * @returns {{gone: Row[], instead: Row | null, isSent: boolean}} The rows that leave, the one whose place is taken, and whether the deed has to
 *     be sent at all.
 */
export function effectOf(rows, deed) {
    const last = rows.findLast(({ path }) => path === deed.path);
    if (!last || deed.method === "POST" || last.method !== "PUT") return { gone: [], instead: null, isSent: true };
    const isFresh = !last.isTried;
    if (!isFresh && last.refusal === null) return { gone: [], instead: null, isSent: true };
    const isNew = isFresh && last.ifMatch === undefined && rows.every((row) => row === last || row.path !== deed.path);
    if (deed.method === "DELETE") return { gone: withDependents(rows, last), instead: null, isSent: !isNew };
    return { gone: [], instead: last, isSent: true };
}

/**
 * The rows as they are once one of them was answered: it has left, and the changes of the same thing behind it name the version that the
 * answer brought.
 * @param {readonly Row[]} rows In the order of making.
 * @param {Row} row
 * @param {string | null} tag
 * @returns {Row[]}
 */
export function afterAnswer(rows, row, tag) {
    let follows = row.method === "PUT" && tag !== null;
    return rows.filter(({ seq }) => seq !== row.seq).map((one) => {
        if (one.seq < row.seq || one.path !== row.path || one.account !== row.account) return one;
        // A thing that is made anew after it was deleted follows nothing.
        follows &&= one.method === "PUT";
        return follows ? { ...one, ifMatch: tag ?? undefined } : one;
    });
}

/** For so long a row that the service cannot take just now is tried, in milliseconds; then the person decides. */
const patience = 24 * 3_600_000;

/**
 * The fate of a row whose sending failed.
 * @param {Pick<Row, 'method' | 'failingSince'>} row
 * @param {unknown} error
 * @param {number} now
 * @returns {'done' | 'refused' | 'later' | 'stop'} `stop`: nothing else has a chance now either.
 */
export function judged({ method, failingSince }, error, now) {
    if (error instanceof NoAnswer || error instanceof SignedOut) return "stop";
    if (!isProblem(error)) return "later";
    const { status } = error;
    if (status === 401) return "stop";
    if (status >= 500 || status === 408 || status === 425 || status === 429) {
        return failingSince !== undefined && now - failingSince >= patience ? "refused" : "later";
    }
    return method === "DELETE" && (status === 404 || status === 410) ? "done" : "refused";
}
