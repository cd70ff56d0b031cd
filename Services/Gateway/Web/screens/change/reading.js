/** What changed between two moments: read of the service, and kept for when there is no connection. */

import { changeQuery } from "../../water/change.js";

/** @typedef {import("../../water/change.js").Changes} Changes */

/**
 * @param {Pick<import("../../app/context.js").Context, 'api' | 'store'>} context
 * @param {object} parts
 * @param {(changes: Changes, isKept: boolean) => void} parts.take
 * @param {(parameter: string) => Promise<Changes | undefined>} parts.saved What was kept with a zone.
 * @param {(error: unknown) => void} parts.fail
 */
export function createReading({ api, store }, { take, saved, fail }) {
    /** Counts what was asked for, so that an answer to what nobody wants any more changes nothing. */
    let turn = 0;
    /** @type {AbortController | null} */
    let present = null;

    return {
        /**
         * @param {string} parameter
         * @param {string | null} unit
         * @param {import("../../water/change.js").Moments} moments
         * @param {string} name What it is kept under: the distance of the moments.
         */
        async read(parameter, unit, moments, name) {
            turn += 1;
            const mine = turn;
            present?.abort();
            present = new AbortController();
            const key = `change ${parameter} ${name}`;
            try {
                const { data } = await api.get("/map/change", { query: changeQuery(parameter, unit, moments), signal: present.signal });
                if (mine !== turn) return;
                void store.keepPage(key, data);
                take(data, false);
            } catch (error) {
                if (mine !== turn) return;
                const kept = await store.kept(key) ?? await saved(parameter);
                if (mine !== turn) return;
                if (kept) take(kept, true);
                fail(error);
            }
        },
        end() {
            turn += 1;
            present?.abort();
        },
    };
}
