/**
 * What was asked for before any module ran (`first.js`). Each answer is taken up once, instead of a question.
 */

/**
 * @typedef {object} First
 * @property {(language: string) => DocumentFragment} introduction
 * @property {() => void} again Loads the page again, after a while.
 * @property {() => void} started The app stands: the next time it is soon again.
 * @property {Promise<Response | null>} [renewal] Of the session.
 * @property {Map<string, Promise<Response | null>>} [answers] By their paths; `null` where nothing answered.
 */

/** @typedef {ReturnType<typeof createBegun>} Begun */

/** So long after the start an answer is as good as a new one, in milliseconds. */
const lifetime = 15_000;

/** @returns {Partial<First>} What the first script left for the modules. */
export function first() {
    return /** @type {{aquaFirst?: First}} */ (globalThis).aquaFirst ?? {};
}

/**
 * @param {Partial<First>} [first]
 * @param {() => number} [now]
 */
export function createBegun({ renewal, answers } = {}, now = Date.now) {
    const began = now();
    return {
        /** @returns {Promise<Response | null>} `null` where there is none, or it was taken up. */
        async renewal() {
            const taken = renewal;
            renewal = undefined;
            return await taken ?? null;
        },
        /**
         * @param {string} path With its query.
         * @returns {Promise<Response | null>}
         */
        async answer(path) {
            const taken = answers?.get(path);
            answers?.delete(path);
            return now() - began < lifetime ? await taken ?? null : null;
        },
        /** Drops the answers: something is changed that they may show. */
        outdate() {
            answers = undefined;
        },
        /** All of it was for somebody who is gone. */
        forget() {
            renewal = undefined;
            answers = undefined;
        },
    };
}
