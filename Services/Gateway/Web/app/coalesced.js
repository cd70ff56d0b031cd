/**
 * Something that is done once at a time, for whoever asks.
 */

/** @param {() => Promise<void>} run */
export function createCoalesced(run) {
    /** @type {{promise: Promise<void>, isStale: boolean} | null} */
    let present = null;
    return {
        /** Whoever asks while it is done waits for a time that began after the question. */
        async ask() {
            if (present) {
                present.isStale = true;
                return await present.promise;
            }
            const mine = { promise: Promise.resolve(), isStale: true };
            present = mine;
            mine.promise = (async () => {
                try {
                    while (mine.isStale) {
                        mine.isStale = false;
                        await run();
                    }
                } finally {
                    if (present === mine) present = null;
                }
            })();
            await mine.promise;
        },

        /** Whoever asks next waits for nothing that was begun before. */
        forget() {
            present = null;
        },
    };
}
