// Before the first paint: the colour scheme and the language that were chosen on this device. What will be needed is asked for
// at once, beside the scripts that will need it: the sentences of that language, the screen of whoever is here, and for somebody
// who is signed in the session's renewal.
(() => {
    let spoken = null;
    let isIn = false;
    try {
        const root = document.documentElement;
        const scheme = localStorage.getItem("aqua-scheme");
        if (scheme === "light" || scheme === "dark") root.dataset.scheme = scheme;
        spoken = localStorage.getItem("aqua-language");
        if (spoken) root.lang = spoken;
        isIn = localStorage.getItem("aqua-session") !== null;
    } catch {
        // Storage may be switched off; then both follow the system.
    }
    const languages = ["en", "es", "ja"];
    const wished = [spoken ?? "", ...navigator.languages].map((locale) => locale.toLowerCase().split("-")[0] ?? "");
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = `/lang/${wished.find((language) => languages.includes(language)) ?? "en"}.js`;
    const screen = /** @type {HTMLTemplateElement | null} */ (document.querySelector(`[data-for="${isIn ? "person" : "stranger"}"]`));
    document.head.append(link, ...screen ? [screen.content] : []);
    if (!isIn) return;
    const renew = () =>
        fetch("/api/v1/sessions/renewal", {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: "{}",
            credentials: "same-origin",
            cache: "no-store",
            redirect: "error",
            // The answer brings the next cookie, also when the page is left meanwhile.
            keepalive: true,
            signal: AbortSignal.timeout(30_000),
        });
    const renewal = navigator.locks ? navigator.locks.request("aqua-renewal", renew) : renew();
    // Who takes it up asks again where nothing answered.
    Object.assign(globalThis, { aquaRenewal: renewal.catch(() => null) });
})();
