/** Long work is done for a few people at a time: whoever comes too early is told when to ask again. */

import { isProblem } from "../words/problem.js";

const mostTries = 4;

/**
 * @template Answer
 * @param {() => Promise<Answer>} ask Asked again while the service says that it is not this one's turn.
 * @param {AbortSignal} [signal] Ends the wait.
 * @param {number} [tries] Of work that others do for longer, more.
 * @returns {Promise<Answer>}
 */
export async function inTurn(ask, signal, tries = mostTries) {
    for (let attempt = 1;; attempt += 1) {
        try {
            return await ask();
        } catch (error) {
            if (!isProblem(error) || error.status !== 429 || attempt >= tries) throw error;
            await new Promise((end) => setTimeout(end, 1000 * (error.retryAfter ?? 1)));
        }
        signal?.throwIfAborted();
    }
}
