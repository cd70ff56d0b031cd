/** What the person is told regularly. */

import { choiceOf } from "../water/summary.js";
import { createChangeable } from "./changeable.js";

/** @typedef {import("../water/summary.js").Choice} Choice */
/** @typedef {import("../water/summary.js").Summary} Summary */
/** @typedef {ReturnType<typeof createSummary>} SummaryOfPerson */

const path = "/summary";

/**
 * @param {object} parts
 * @param {import("./api.js").API} parts.api
 * @param {(key: string, value: unknown) => unknown} parts.keep
 * @param {(key: string) => Promise<any>} parts.kept
 */
export function createSummary({ api, keep, kept }) {
    const changeable = createChangeable({
        /** @returns {Promise<Summary>} */
        get: async () => (await api.get(path)).data,
        /** @param {Choice} choice */
        send: async (choice) => (await api.put(path, choice)).data,
        // When the next one comes the service says.
        changed: (told, choice) => ({ ...told, ...choice, nextAt: null }),
        part: "summary",
        keep,
        kept,
    });

    return {
        ...changeable,

        /**
         * Changes a part of the choice.
         * @param {Partial<Choice>} part
         */
        async choose(part) {
            const { told } = changeable.known.value;
            if (told) await changeable.change({ ...choiceOf(told), ...part });
        },

        /** Has a summary sent now. */
        send: () => api.post("/summaries", {}, { once: true }),
    };
}
