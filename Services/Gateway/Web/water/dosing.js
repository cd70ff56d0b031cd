/**
 * Sums of dosing and of water changes. Whoever asks has an amount and a volume; nothing here knows a product or gives advice.
 */

/**
 * The amount that a dose per volume makes of a tank: 5 mL for every 100 L are 9 mL in 180 L.
 * @param {number} volume Of the tank, in litres.
 * @param {{amount: number, per: number}} dose So much for so many litres.
 */
export function doseOf(volume, { amount, per }) {
    return amount * volume / per;
}

/**
 * What an amount is for each litre of a tank: 2,000 g in 12,000 L are 0.17 g/L.
 * @param {number} amount
 * @param {number} volume In litres.
 */
export function perLitre(amount, volume) {
    return amount / volume;
}

/**
 * A value after water was changed several times, each time mixed before the next: 20 mg/L after three times 30 % are 6.86.
 * @param {number} value Before.
 * @param {object} change
 * @param {number} change.share Of the water that is changed at a time, from 0 to 1.
 * @param {number} [change.times]
 * @param {number} [change.tap] What the fresh water has of it.
 */
export function afterChanges(value, { share, times = 1, tap = 0 }) {
    return tap + (value - tap) * (1 - share) ** times;
}

/**
 * The share of a tank that a water change is; null where nobody knows.
 * @param {number | null} amount
 * @param {string | null} unit `percent`, or `litre`.
 * @param {number | null} volume In litres.
 */
export function shareOf(amount, unit, volume) {
    if (amount === null) return null;
    const share = unit === "percent" ? amount / 100 : unit === "litre" && volume ? amount / volume : null;
    return share !== null && share > 0 && share <= 1 ? share : null;
}
