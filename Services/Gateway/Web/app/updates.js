/**
 * The service worker: it keeps the app on this device, so that it opens without a connection. A new version waits until the
 * person wants it.
 */

/** The one place where an address of a script is vouched for (Trusted Types). */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("aqua", {
    createScriptURL(/** @type {string} */ url) {
        if (url !== "/sw.js") throw new TypeError("This is no script of the app.");
        return url;
    },
});

/** @typedef {ReturnType<typeof createUpdates>} Updates */

/**
 * @param {object} parts
 * @param {(toast: import("../components/toast/toast.js").ToastModel) => () => void} parts.toast
 * @param {() => import("../lang/index.js").Words} parts.words
 * @param {() => void} parts.leave What is being typed is kept for the new version.
 */
export function createUpdates({ toast, words, leave }) {
    const workers = navigator.serviceWorker;
    let wants = false;
    let isOutdated = false;
    /** @type {(() => void) | null} */
    let withdraw = null;

    /** @param {ServiceWorkerRegistration} registration */
    function offer(registration) {
        if (!registration.waiting || !workers.controller || withdraw) return;
        withdraw = toast({
            text: words()("common.updateReady"),
            action: {
                text: words()("common.update"),
                press() {
                    wants = true;
                    withdraw = null;
                    registration.waiting?.postMessage({ takeOver: true });
                },
            },
        });
    }

    return {
        /** Whether another version has taken over, whose files no longer belong to what this window runs. */
        get isOutdated() {
            return isOutdated;
        },

        /** Notices that another version takes over. To begin before anything is waited for, as it may happen at any time. */
        follow() {
            if (!workers) return;
            // The first worker takes over a window that has loaded the very same files.
            let hasOne = workers.controller !== null;
            workers.addEventListener("controllerchange", () => {
                const isFirst = !hasOne;
                hasOne = true;
                if (isFirst || isOutdated) return;
                isOutdated = true;
                withdraw?.();
                if (!wants) return; // another window's wish: this one goes over at its next screen, where nothing is lost
                leave();
                location.reload();
            });
        },

        /** Registers the worker, and offers what is new. */
        async register() {
            if (!workers) return;
            try {
                const registration = await workers.register(policy ? policy.createScriptURL("/sw.js") : "/sw.js", {
                    updateViaCache: "none",
                });
                offer(registration);
                registration.addEventListener("updatefound", () => {
                    const { installing } = registration;
                    installing?.addEventListener("statechange", () => {
                        if (installing.state === "installed") offer(registration);
                    });
                });
                document.addEventListener("visibilitychange", () => {
                    if (!document.hidden) registration.update().catch(() => {});
                });
            } catch (error) {
                // Private windows may have none; the app works without, but not without a connection.
                console.info("There is no service worker here.", error);
            }
        },
    };
}
