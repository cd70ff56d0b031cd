/**
 * What limits of one parameter would have told, asked of the service: one question at a time, as it answers only few at once.
 */

import { dryRun } from "./dry-run.js";
import { inTurn } from "./turns.js";

/** @typedef {import("../water/back-test.js").Answer} Answer */
/** @typedef {ReturnType<typeof createTrials>} Trials */

/**
 * @param {import("./context.js").Context} context
 * @param {{device: string, name: string}} what
 */
export function createTrials({ api }, { device, name }) {
    const gone = new AbortController();
    /** @type {Promise<unknown>} */
    let last = Promise.resolve();

    /**
     * @param {Record<string, string | number | null>} query
     * @returns {Promise<Answer>}
     */
    async function ask(query) {
        const path = `/devices/${device}/parameters/${name}/back-test`;
        const { data } = await inTurn(() => api.get(path, { query, signal: gone.signal }), gone.signal);
        return data;
    }

    return {
        /**
         * @param {Record<string, string | number | null>} query
         * @param {() => boolean} [isWanted] Whether the answer is still of use when its turn comes.
         * @returns {Promise<Answer | null>} null where it is not.
         */
        ask(query, isWanted = () => true) {
            const answer = last.then(() => isWanted() && !gone.signal.aborted ? ask(query) : null);
            last = answer.catch(() => {});
            return answer;
        },
        /**
         * The alarms that other limits would have told, beside those of the present ones.
         * @param {Omit<import("../water/presets.js").WholeLimits, "parameter">} limits
         * @returns {Promise<import("../water/dry-run.js").Row>}
         */
        async compare(limits) {
            const [row] = await dryRun({ api }, { devices: [device], limits: [{ parameter: name, ...limits }] }, { signal: gone.signal, tell: () => {} });
            return row;
        },
        end: () => gone.abort(),
    };
}
