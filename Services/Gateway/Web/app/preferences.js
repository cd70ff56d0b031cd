/**
 * What this installation remembers for itself: language and colour scheme for the first paint, and by what name the service
 * knows it. None of it is about a person's water.
 */

import { chosenLanguage, isLanguage } from "../lang/index.js";
import { randomKey } from "./api.js";

/** @typedef {'system' | 'light' | 'dark'} Scheme */
/** @typedef {ReturnType<typeof createPreferences>} Preferences */

export function createPreferences() {
    /** @param {string} key */
    function read(key) {
        try {
            return localStorage.getItem(key);
        } catch {
            return null;
        }
    }

    /**
     * @param {string} key
     * @param {string | null} value
     */
    function write(key, value) {
        try {
            if (value === null) localStorage.removeItem(key);
            else localStorage.setItem(key, value);
        } catch {
            // Storage may be switched off; then it lasts as long as the page.
        }
    }

    let client = "";

    return {
        /** The language that was chosen here, else the system's. @returns {import("../lang/index.js").Language} */
        get language() {
            const kept = read("aqua-language");
            return kept && isLanguage(kept) ? kept : chosenLanguage(navigator.languages ?? [navigator.language]);
        },
        set language(language) {
            write("aqua-language", language);
            document.documentElement.lang = language;
        },

        /** @returns {Scheme} */
        get scheme() {
            const kept = read("aqua-scheme");
            return kept === "light" || kept === "dark" ? kept : "system";
        },
        set scheme(scheme) {
            write("aqua-scheme", scheme === "system" ? null : scheme);
            this.paint();
        },
        /** Shows the page and the browser's bars as it was chosen. */
        paint() {
            const { scheme } = this;
            const root = document.documentElement;
            if (scheme === "system") delete root.dataset.scheme;
            else root.dataset.scheme = scheme;
            paintBrowser(scheme);
        },

        /** By what the service knows this installation, also after signing out: signing in resumes its alerts. */
        get client() {
            client ||= read("aqua-client") ?? "";
            if (!client) {
                client = randomKey();
                write("aqua-client", client);
            }
            return client;
        },

        /** The number of the last event of the account that was shown here; null: none was. */
        get seenEvent() {
            const kept = read("aqua-event");
            return kept === null ? null : Number(kept);
        },
        set seenEvent(number) {
            write("aqua-event", number === null ? null : String(number));
        },

        /** Whether somebody has been signed in here. */
        get isKnown() {
            return read("aqua-known") !== null;
        },
        set isKnown(isKnown) {
            write("aqua-known", isKnown ? "1" : null);
        },

        /**
         * A choice of the person's on this device, such as that they do not want to be asked again.
         * @param {string} name
         */
        has: (name) => read(`aqua-${name}`) !== null,
        /**
         * @param {string} name
         * @param {boolean} isSet
         */
        mark: (name, isSet) => write(`aqua-${name}`, isSet ? "1" : null),

        /**
         * Up to when somebody has looked at something here.
         * @param {string} name
         */
        noted: (name) => read(`aqua-${name}`),
        /**
         * @param {string} name
         * @param {string} time
         */
        note: (name, time) => write(`aqua-${name}`, time),
    };
}

/**
 * The browser's own bars follow the page.
 * @param {Scheme} scheme
 */
function paintBrowser(scheme) {
    const colours = { light: "#f7fbfc", dark: "#111b1f" };
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
        const own = meta.getAttribute("media")?.includes("dark") ? "dark" : "light";
        meta.setAttribute("content", colours[scheme === "system" ? own : scheme]);
    }
}
