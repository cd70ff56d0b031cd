/** Keeps the screen from sleeping while something needs it in sight, where the browser can. */

/**
 * @param {(isAwake: boolean) => void} changed
 * @returns {() => void} What ends it.
 */
export function keepAwake(changed) {
    /** @type {WakeLockSentinel | null} */
    let lock = null;
    let hasEnded = false;

    async function ask() {
        if (hasEnded || lock || document.hidden) return;
        try {
            const next = await navigator.wakeLock.request("screen");
            if (hasEnded) return void next.release();
            lock = next;
            // The system takes it away with an empty battery, and whenever the page is hidden.
            next.addEventListener("release", () => {
                lock = null;
                if (!hasEnded) changed(false);
            });
            changed(true);
        } catch {
            changed(false);
        }
    }

    const again = () => void ask();
    if ("wakeLock" in navigator) {
        document.addEventListener("visibilitychange", again);
        again();
    } else changed(false);
    return () => {
        hasEnded = true;
        document.removeEventListener("visibilitychange", again);
        void lock?.release();
    };
}
