/** The lock under which this browser's subscription to alerts changes. */

/**
 * Held while the browser's subscription is made, ended or told to the service: another window or the service worker may be about
 * to do the same.
 */
export const subscriptionLock = "aqua-subscription";

/**
 * Signs out: a registration that is under way would outlast it. One that hangs is not waited for.
 * @param {() => Promise<void>} run
 */
export async function whileNobodyRegisters(run) {
    if (!navigator.locks) return await run();
    let hasBegun = false;
    try {
        await navigator.locks.request(subscriptionLock, { signal: AbortSignal.timeout(10_000) }, () => {
            hasBegun = true;
            return run();
        });
    } catch (error) {
        if (hasBegun) throw error;
        await run();
    }
}
