// Before the first paint: the colour scheme and the language that were chosen on this device. The sentences of that language
// are asked for at once, beside the scripts that will need them.
(() => {
    let spoken = null;
    try {
        const root = document.documentElement;
        const scheme = localStorage.getItem("aqua-scheme");
        if (scheme === "light" || scheme === "dark") root.dataset.scheme = scheme;
        spoken = localStorage.getItem("aqua-language");
        if (spoken) root.lang = spoken;
    } catch {
        // Storage may be switched off; then both follow the system.
    }
    const languages = ["en", "es", "ja"];
    const wished = [spoken ?? "", ...navigator.languages].map((locale) => locale.toLowerCase().split("-")[0] ?? "");
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = `/lang/${wished.find((language) => languages.includes(language)) ?? "en"}.js`;
    document.head.append(link);
})();
