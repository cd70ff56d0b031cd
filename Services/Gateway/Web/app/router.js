/**
 * Shows the screen of the address, and moves the focus to its heading. With the Navigation API where the browser has it,
 * else with the History API.
 */

/**
 * @typedef {object} Shown What a change of the address leads to.
 * @property {string} path
 * @property {boolean} isBack Whether it goes back in the history.
 */

/** @typedef {ReturnType<typeof createRouter>} Router */

/**
 * @param {(shown: Shown) => Promise<void>} show Shows the screen of a path; resolves once it stands.
 * @param {() => boolean} [takesBack] Takes a step back for what stands above the screen; false where nothing does.
 */
export function createRouter(show, takesBack = () => false) {
    /** @type {any} */
    const navigation = Reflect.get(globalThis, "navigation");
    let depth = history.state?.depth ?? 0;
    /** Whether a step back that something took is being undone. */
    let isReturning = false;

    if (navigation) {
        navigation.addEventListener("navigate", (/** @type {any} */ event) => {
            if (!event.canIntercept || event.hashChange || event.downloadRequest !== null || event.formData) return;
            // A new version takes over by loading everything again.
            if (event.navigationType === "reload") return;
            const url = new URL(event.destination.url);
            if (!isOurs(url)) return;
            // The address of the present screen is written in another way, as without its fragment.
            if (event.navigationType === "replace" && event.destination.sameDocument && url.pathname === location.pathname) return;
            const isBack = event.navigationType === "traverse" &&
                event.destination.index < (navigation.currentEntry?.index ?? 0);
            if (isBack && event.cancelable && takesBack()) return event.preventDefault();
            event.intercept({
                focusReset: "manual",
                scroll: "after-transition",
                handler: () => show({ path: url.pathname, isBack }),
            });
        });
    } else {
        history.scrollRestoration = "manual";
        document.addEventListener("click", (event) => {
            const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
            if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0) return;
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
            if (link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
            if (!isOurs(new URL(link.href))) return;
            event.preventDefault();
            go(link.pathname + link.search, false);
        });
        addEventListener("popstate", (event) => {
            if (isReturning) return isReturning = false;
            const next = event.state?.depth ?? 0;
            const isBack = next < depth;
            if (isBack && takesBack()) {
                isReturning = true;
                return history.go(depth - next);
            }
            depth = next;
            show({ path: location.pathname, isBack });
        });
    }

    /**
     * @param {string} path
     * @param {boolean} replaces
     */
    function go(path, replaces) {
        if (replaces) history.replaceState({ depth }, "", path);
        else history.pushState({ depth: depth += 1 }, "", path);
        scrollTo(0, 0);
        return show({ path: location.pathname, isBack: false });
    }

    return {
        /** Shows the screen of the present address. */
        start: () => show({ path: location.pathname, isBack: false }),
        /**
         * @param {string} path
         * @param {{replace?: boolean}} [options] Replace: the present screen cannot be gone back to.
         */
        async navigate(path, { replace = false } = {}) {
            if (!navigation) return await go(path, replace);
            try {
                await navigation.navigate(path, { history: replace ? "replace" : "auto" }).finished;
            } catch (error) {
                // Another navigation came in between.
                if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
            }
        },
        /**
         * Goes back to where the person came from, or to a path when they came from elsewhere.
         * @param {string} otherwise
         */
        back(otherwise) {
            const isFirst = navigation ? !navigation.canGoBack : depth === 0;
            if (isFirst) this.navigate(otherwise, { replace: true });
            else history.back();
        },
    };
}

/**
 * Whether an address is a screen; the API with its pages, the standards and the way to the sign-in provider are not.
 * @param {URL} url
 */
function isOurs(url) {
    return url.origin === location.origin && url.pathname !== "/api" && !url.pathname.startsWith("/api/") &&
        !["/oidc/", "/ogc/", "/sta/"].some((root) => url.pathname.startsWith(root));
}

/**
 * Moves the focus to a screen's heading, so that a reader begins there.
 * @param {HTMLElement} root
 */
export function focusHeading(root) {
    const heading = root.querySelector("h1");
    if (!heading) return;
    if (!heading.hasAttribute("tabindex")) heading.setAttribute("tabindex", "-1");
    heading.focus({ preventScroll: true });
}
