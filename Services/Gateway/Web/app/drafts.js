/**
 * What is being typed on a screen outlasts the app's going over to a new version: it is kept for this window, until the screen
 * stands again. Passwords are never kept.
 */

const name = "aqua-draft";

/** @param {HTMLElement} root */
export function keepDraft(root) {
    const fields = [...root.querySelectorAll("input")].filter(isKept).map((input) => [input.name, input.value]);
    if (fields.length === 0) return;
    try {
        sessionStorage.setItem(name, JSON.stringify({ path: location.pathname, fields }));
    } catch {
        // Storage may be switched off.
    }
}

/**
 * Fills in what was kept; what belongs to another screen is forgotten.
 * @param {HTMLElement} root
 */
export function restoreDraft(root) {
    const kept = take();
    if (!kept || kept.path !== location.pathname) return;
    const values = new Map(kept.fields);
    for (const input of root.querySelectorAll("input")) {
        const value = values.get(input.name);
        if (value === undefined || !isKept(input)) continue;
        input.value = value;
        input.dispatchEvent(new Event("input", { bubbles: true }));
    }
}

/** @returns {{path: string, fields: [string, string][]} | null} */
function take() {
    try {
        const kept = sessionStorage.getItem(name);
        sessionStorage.removeItem(name);
        return kept === null ? null : JSON.parse(kept);
    } catch {
        return null;
    }
}

/**
 * A password that is shown is a text to the browser; what it is for tells.
 * @param {HTMLInputElement} input
 */
function isKept(input) {
    return input.name !== "" && /^(text|email|url|search)$/.test(input.type) && !input.autocomplete.includes("password");
}
