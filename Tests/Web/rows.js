/** The rows of an outbox, kept in memory. */

import { afterAnswer } from "../../Services/Gateway/Web/app/outbox-order.js";

/** A disk that keeps rows as the browser's does. */
export function createRows() {
    /** @type {Map<number, any>} */
    const kept = new Map();
    let last = 0;
    return {
        kept,
        isBroken: false,
        all: () => Promise.resolve([...kept.values()].map((row) => structuredClone(row))),
        async write(/** @type {any} */ row, /** @type {readonly number[]} */ gone) {
            await Promise.resolve();
            if (this.isBroken) throw new Error("no room");
            for (const seq of gone) kept.delete(seq);
            if (!row) return null;
            const seq = row.seq ?? (last += 1);
            kept.set(seq, structuredClone({ ...row, seq }));
            return seq;
        },
        async leave(/** @type {any} */ row, /** @type {string | null} */ tag) {
            await Promise.resolve();
            const left = afterAnswer([...kept.values()], row, tag);
            kept.clear();
            for (const one of left) kept.set(one.seq, structuredClone(one));
        },
    };
}
