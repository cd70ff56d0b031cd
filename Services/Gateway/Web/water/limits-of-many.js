/** Limits of one parameter for many tanks: which of them change by it. Decided here without words. */

/** @typedef {import("./tanks.js").Parameter} Parameter */
/** @typedef {{minimum?: number | null, maximum?: number | null}} Wish Limits that are to be set; what is left out stays. */

/**
 * @param {Wish} wish In the unit of the model.
 * @param {Parameter} model
 * @param {readonly {device: string, parameter: Parameter | null}[]} chosen
 * @returns {{changes: {device: string, parameter: Parameter, change: Wish}[], others: number, crossed: number}} Others: how many tell it in
 *     another unit, or not at all, and are left as they are. Crossed: how many have another limit that the wish would cross.
 */
export function changesOf(wish, model, chosen) {
    /** @type {{device: string, parameter: Parameter, change: Wish}[]} */
    const changes = [];
    let [others, crossed] = [0, 0];
    for (const { device, parameter } of chosen) {
        if (!parameter || parameter.unit !== model.unit) {
            others += 1;
            continue;
        }
        /** @type {Wish} */
        const change = {};
        if (wish.minimum !== undefined && parameter.hasMinimum && wish.minimum !== parameter.minimum) change.minimum = wish.minimum;
        if (wish.maximum !== undefined && wish.maximum !== parameter.maximum) change.maximum = wish.maximum;
        if (change.minimum === undefined && change.maximum === undefined) continue;
        if (isCrossed({ ...parameter, ...change })) crossed += 1;
        else changes.push({ device, parameter, change });
    }
    return { changes, others, crossed };
}

/** @param {Parameter} parameter */
function isCrossed({ minimum, maximum, criticalMinimum = null, criticalMaximum = null }) {
    const rising = [criticalMinimum, minimum, maximum, criticalMaximum].filter((limit) => limit !== null);
    return rising.some((limit, index) => index > 0 && limit <= rising[index - 1]);
}
