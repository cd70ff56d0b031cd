/**
 * The secret of a link that came by mail: the fragment of its address. It is taken out of the address at once, so that no history keeps
 * it, and held while this page lives: a screen stands anew when the language changes.
 */

/** By the screens' paths. @type {Map<string, string>} */
const held = new Map();

/** @returns {string} Empty where there is none. */
export function linkToken() {
    const { hash, pathname } = location;
    if (hash.length > 1) {
        held.set(pathname, hash.slice(1));
        history.replaceState(history.state, "", pathname);
    }
    return held.get(pathname) ?? "";
}

/** It has done what it can. */
export function dropLinkToken() {
    held.delete(location.pathname);
}

/**
 * Another link to the screen that stands, as somebody pastes it: the browser changes the fragment alone.
 * @param {() => void} shown
 * @returns {() => void} What ends it.
 */
export function followLink(shown) {
    const changed = () => location.hash.length > 1 && shown();
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
}
