// Before the first paint: the colour scheme and the language that were chosen on this device.
(() => {
    try {
        const root = document.documentElement;
        const scheme = localStorage.getItem("aqua-scheme");
        if (scheme === "light" || scheme === "dark") root.dataset.scheme = scheme;
        const language = localStorage.getItem("aqua-language");
        if (language) root.lang = language;
    } catch {
        // Storage may be switched off; then both follow the system.
    }
})();
