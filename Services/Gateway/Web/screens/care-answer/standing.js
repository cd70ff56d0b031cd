/** How what a message asked to be done stands: decided here without words. */

/**
 * @typedef {object} ToldItem As the service tells it.
 * @property {string} tank
 * @property {string} name
 * @property {string} on When it was due, by the clock of its zone, such as 2027-03-05T18:00.
 * @property {boolean} isOpen Whether nobody has acted.
 * @property {import("../../water/care.js").What | null} what null of what is open, or whose reminder has ended.
 * @property {string | null} by null of somebody who is gone.
 * @property {boolean} isYou Whether it was whoever the link was sent to.
 * @property {string | null} until Of what is put off.
 */

/** @typedef {'ask' | 'later' | 'yours' | 'others' | 'over'} Standing */

/**
 * Several stand as the one of them that matters most: what can still be answered, what comes again, what whoever reads this did, what others did.
 * @param {readonly Pick<ToldItem, "isOpen" | "what" | "isYou">[]} items
 * @returns {Standing}
 */
export function standingOf(items) {
    if (items.some(({ isOpen }) => isOpen)) return "ask";
    if (items.some(({ what }) => what === "later")) return "later";
    const acted = items.filter(({ what }) => what !== null);
    if (acted.length === 0) return "over";
    return acted.some(({ isYou }) => isYou) ? "yours" : "others";
}

/**
 * Who acted, each once.
 * @param {readonly Pick<ToldItem, "what" | "by">[]} items
 * @returns {(string | null)[]}
 */
export const actorsOf = (items) => [...new Set(items.filter(({ what }) => what !== null).map(({ by }) => by))];

/**
 * Whether all that became of it is that it was done.
 * @param {readonly Pick<ToldItem, "what">[]} items
 */
export const isDone = (items) => items.every(({ what }) => what === "done");
