// Before the first paint: the colour scheme and the language that were chosen on this device, and for whoever was never here the
// introduction, which needs no module. What will be needed is asked for at once, beside the scripts that will need it: the
// first words of that language, the screen of whoever is here, and for somebody who is signed in the session's renewal and what is
// known of their water.
(() => {
    const root = document.documentElement;
    let spoken = null;
    let client = null;
    let isIn = false;
    let isKnown = false;
    let isActing = false;
    try {
        const scheme = localStorage.getItem("aqua-scheme");
        if (scheme === "light" || scheme === "dark") root.dataset.scheme = scheme;
        spoken = localStorage.getItem("aqua-language");
        client = localStorage.getItem("aqua-client");
        isIn = localStorage.getItem("aqua-session") !== null;
        isKnown = localStorage.getItem("aqua-known") !== null;
        isActing = sessionStorage.getItem("aqua-acting") !== null;
    } catch {
        // Storage may be switched off; then both follow the system.
    }
    const languages = (root.dataset.languages ?? "en").split(" ");
    const wished = [spoken ?? "", ...navigator.languages].map((locale) => locale.toLowerCase().split("-")[0] ?? "");
    const language = wished.find((language) => languages.includes(language)) ?? "en";
    root.lang = language;
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = `/lang/${language}.js`;
    const screen = /** @type {HTMLTemplateElement | null} */ (document.querySelector(`[data-for="${isIn ? "person" : "stranger"}"]`));
    document.head.append(link, ...screen ? [screen.content] : []);

    let isDue = false;
    /**
     * Asks for everything again, soon and then ever later: a part of the app did not arrive, as when the network changed meanwhile, and
     * what stands there does nothing.
     */
    function again() {
        if (isDue) return;
        isDue = true;
        let tries = 0;
        try {
            tries = Number(sessionStorage.getItem("aqua-again") ?? 0);
            sessionStorage.setItem("aqua-again", String(tries + 1));
        } catch {
            // Storage may be switched off; then it is always soon.
        }
        setTimeout(() => location.reload(), 1_000 * 2 ** Math.min(tries, 6));
    }
    function started() {
        try {
            sessionStorage.removeItem("aqua-again");
        } catch {
            // Storage may be switched off.
        }
    }
    document.addEventListener("error", ({ target }) => {
        if (/** @type {Element | null} */ (target)?.localName === "script") again();
    }, true);

    /**
     * The introduction in one language.
     * @param {string} language
     */
    function introduction(language) {
        const template = /** @type {HTMLTemplateElement} */ (document.getElementById("introduction"));
        const copy = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
        for (const other of copy.querySelectorAll(`[lang]:not([lang="${language}"])`)) other.remove();
        return copy;
    }

    function introduce() {
        const [main, shell] = ["main", "shell"].map((id) => /** @type {HTMLElement} */ (document.getElementById(id)));
        main.append(introduction(language));
        main.dataset.screen = "/introduction";
        shell.dataset.tabs = "none";
    }

    if (!isIn) {
        // The page has been read, and no module has run.
        const isFirst = !isKnown && ["/", "/introduction"].includes(location.pathname);
        if (isFirst) document.addEventListener("readystatechange", introduce, { once: true });
        Object.assign(globalThis, { aquaFirst: { introduction, again, started } });
        return;
    }

    /**
     * Whoever takes an answer up asks again where nothing came.
     * @param {string} path
     * @param {RequestInit} init
     */
    function ask(path, init) {
        return fetch("/api/v1" + path, {
            ...init,
            credentials: "same-origin",
            cache: "no-store",
            redirect: "error",
            signal: AbortSignal.timeout(30_000),
        }).catch(() => null);
    }

    // The answer brings the next cookie, also when the page is left meanwhile.
    const body = JSON.stringify(client ? { clientId: client } : {});
    const renew = () =>
        ask("/sessions/renewal", { method: "POST", headers: { "Content-Type": "application/json" }, body, keepalive: true });
    const renewal = Promise.resolve(navigator.locks ? navigator.locks.request("aqua-renewal", renew) : renew()).catch(() => null);
    const token = renewal.then(async (response) => response?.ok ? (await response.clone().json()).accessToken : null);

    /** @param {string} path */
    const read = (path) =>
        token.then((token) => token ? ask(path, { headers: { "Authorization": `Bearer ${token}`, "Accept-Language": language } }) : null)
            .catch(() => null);
    const paths = ["/devices?limit=200", "/parameters?limit=50", "/readings/latest", "/account", "/settings", "/snoozes", "/answers"];
    // Whoever acts as a project asks for the project's water.
    const answers = new Map((isActing ? [] : paths).map((path) => [path, read(path)]));
    Object.assign(globalThis, { aquaFirst: { introduction, again, started, renewal, answers } });
})();
