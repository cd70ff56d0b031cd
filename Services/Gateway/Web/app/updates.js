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

/**
 * @param {object} parts
 * @param {(toast: import("../components/toast/toast.js").ToastModel) => () => void} parts.toast
 * @param {() => import("../lang/index.js").Words} parts.words
 */
export async function watchUpdates({ toast, words }) {
    if (!("serviceWorker" in navigator)) return;
    let isAsked = false;
    let wants = false;

    // Once the person wants the new version, it takes over, and every window shows it.
    const hadOne = navigator.serviceWorker.controller !== null;
    let isReloading = false;
    navigator.serviceWorker.addEventListener("controllerchange", () => {
        if (!hadOne || isReloading || !wants) return;
        isReloading = true;
        location.reload();
    });

    /** @param {ServiceWorkerRegistration} registration */
    function offer(registration) {
        const { waiting } = registration;
        if (!waiting || !navigator.serviceWorker.controller || isAsked) return;
        isAsked = true;
        toast({
            text: words()("common.updateReady"),
            action: {
                text: words()("common.update"),
                press() {
                    wants = true;
                    isAsked = false;
                    registration.waiting?.postMessage({ takeOver: true });
                },
            },
        });
    }

    try {
        const registration = await navigator.serviceWorker.register(policy ? policy.createScriptURL("/sw.js") : "/sw.js", {
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
}
