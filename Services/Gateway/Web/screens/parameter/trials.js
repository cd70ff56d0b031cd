/**
 * What limits of one parameter would have told, asked of the service: one question at a time, as it answers only few at once.
 */

import { isProblem } from "../../words/problem.js";

/** @typedef {import("../../water/back-test.js").Answer} Answer */
/** @typedef {ReturnType<typeof createTrials>} Trials */

const mostTries = 4;

/**
 * @param {import("../../app/context.js").Context} context
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
        for (let attempt = 1;; attempt += 1) {
            try {
                const { data } = await api.get(`/devices/${device}/parameters/${name}/back-test`, { query, signal: gone.signal });
                return data;
            } catch (error) {
                if (!isProblem(error) || error.status !== 429 || attempt === mostTries) throw error;
                await new Promise((end) => setTimeout(end, 1000 * (error.retryAfter ?? 1)));
            }
            gone.signal.throwIfAborted();
        }
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
        end: () => gone.abort(),
    };
}
