/** Parts of a page that are drawn anew under the focus. */

/**
 * Replaces what an element holds. The focus stays at the same button or link, by its number, or at the last one.
 * @param {Element} place
 * @param {readonly Node[]} parts
 */
export function refill(place, parts) {
    const pressed = () => /** @type {HTMLElement[]} */ ([...place.querySelectorAll("button, a, summary")]);
    const focused = pressed().findIndex((one) => one === document.activeElement);
    place.replaceChildren(...parts);
    const now = pressed();
    if (focused >= 0) now[Math.min(focused, now.length - 1)]?.focus();
}
