/**
 * The order of cards, as it changes while one is moved.
 */

/**
 * The list with the entry at `from` at the place `to`.
 * @template T
 * @param {readonly T[]} list
 * @param {number} from
 * @param {number} to
 * @returns {T[]}
 */
export function moved(list, from, to) {
    const result = [...list];
    const place = Math.min(list.length - 1, Math.max(0, to));
    const [entry] = result.splice(from, 1);
    if (entry !== undefined) result.splice(place, 0, entry);
    return result;
}

/**
 * The whole order after the shown part of it changed: what is not shown keeps its places.
 * @template T
 * @param {readonly T[]} all
 * @param {readonly T[]} shown The shown ones in their new order.
 * @returns {T[]}
 */
export function merged(all, shown) {
    const present = new Set(shown);
    const next = shown.filter((entry) => all.includes(entry)).values();
    return all.map((entry) => present.has(entry) ? /** @type {T} */ (next.next().value) : entry);
}

/**
 * The place at which a card would be dropped: the one whose middle is nearest.
 * @param {{x: number, y: number}} point The middle of the card that is moved.
 * @param {readonly {x: number, y: number}[]} middles The middles of all places.
 */
export function placeAt(point, middles) {
    let best = 0;
    let least = Infinity;
    middles.forEach((middle, index) => {
        const distance = Math.hypot(middle.x - point.x, middle.y - point.y);
        if (distance < least) [best, least] = [index, distance];
    });
    return best;
}
