/**
 * A list of elements that is brought up to date: what stays in the list stays the same element in the page, so that neither the focus nor
 * a press that has begun is lost.
 */

/**
 * @template T
 * @typedef {object} Item
 * @property {Element} element
 * @property {(model: T) => void} update
 * @property {() => void} [remove] Ends what it has begun.
 */

/**
 * @template T
 * @param {Element} list
 * @param {(model: T) => string} keyOf What tells an element from the others of the list.
 * @param {(model: T) => Item<T>} make
 * @returns {(models: readonly T[]) => void}
 */
export function createKeyed(list, keyOf, make) {
    /** @type {Map<string, Item<T>>} */
    let standing = new Map();
    return (models) => {
        /** @type {Map<string, Item<T>>} */
        const next = new Map();
        for (const model of models) {
            const key = keyOf(model);
            const item = standing.get(key) ?? make(model);
            next.set(key, item);
            item.update(model);
        }
        for (const [key, item] of standing) {
            if (next.has(key)) continue;
            item.remove?.();
            item.element.remove();
        }
        standing = next;
        place(list, [...next.values()].map(({ element }) => element));
    };
}

/**
 * Puts elements into a list in their order; those that stand right are left alone.
 * @param {Element} list
 * @param {readonly Element[]} elements
 */
function place(list, elements) {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    elements.forEach((element, index) => {
        if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
    });
    // What moves to another place loses it.
    if (focused && document.activeElement !== focused && list.contains(focused)) focused.focus({ preventScroll: true });
}
