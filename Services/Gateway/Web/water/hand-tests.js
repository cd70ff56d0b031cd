/** Tests by hand that wait on this device, and what is known of each parameter with them: decisions alone. */

/** @typedef {import("./by-hand.js").HandValue} HandValue */
/** @typedef {import("./by-hand.js").Latest} Latest */
/** @typedef {Pick<import("./by-hand.js").HandPoint, "at" | "kit" | "by"> & {id: string, values: readonly HandValue[]}} Test */
/** @typedef {{hand: 'test', device: string, test: Test}} About What a row of the outbox does to the tests of a tank. */
/** @typedef {{code: string, title: string, detail: string}} Refusal */
/** @typedef {{id: string, seq: number, method: 'PUT' | 'DELETE' | 'POST', path: string, subject: string, body?: unknown, about?: unknown, refusal: Refusal | null}} Row */

/**
 * @typedef {object} Kept A test that the service has not taken.
 * @property {string} device
 * @property {Test} test
 * @property {'saved' | 'waiting' | 'refused'} state
 * @property {Refusal | null} refusal
 * @property {Row} row
 */

/**
 * What a row writes; null of rows about something else.
 * @param {{about?: unknown}} row
 * @returns {About | null}
 */
export function aboutOf({ about }) {
    return about !== null && typeof about === "object" && "hand" in about ? /** @type {About} */ (about) : null;
}

/**
 * The tests that wait, in the order of making.
 * @param {readonly Row[]} rows
 * @param {boolean} isCutOff Whether nothing can be sent now.
 * @returns {Kept[]}
 */
export function keptOf(rows, isCutOff) {
    return rows.flatMap((row) => {
        const about = aboutOf(row);
        if (!about) return [];
        const state = row.refusal ? "refused" : isCutOff ? "waiting" : "saved";
        return [{ device: about.device, test: about.test, state, refusal: row.refusal, row }];
    });
}

/**
 * Tests with those that wait, newest first. What the service has refused says nothing of the water.
 * @param {readonly Test[]} items
 * @param {readonly Kept[]} kept
 * @returns {Test[]}
 */
export function laidOver(items, kept) {
    const waiting = kept.filter(({ state }) => state !== "refused").map(({ test }) => test);
    const own = new Set(waiting.map(({ id }) => id));
    return [...items.filter(({ id }) => !own.has(id)), ...waiting].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

/**
 * The values of one parameter, oldest first.
 * @param {readonly Test[]} tests Newest first.
 * @param {string} parameter
 * @returns {import("./by-hand.js").HandPoint[]}
 */
export function pointsOf(tests, parameter) {
    return tests.flatMap(({ id, at, kit, by, values }) => {
        const value = values.find((one) => one.parameter === parameter);
        return value ? [{ test: id, at, kit, by, value }] : [];
    }).reverse();
}

/**
 * What was last measured of each parameter, with what waits.
 * @param {readonly Latest[]} latest
 * @param {readonly Test[]} waiting Newest first.
 * @returns {Latest[]}
 */
export function latestWith(latest, waiting) {
    return latest.map((known) => {
        const [last] = pointsOf(waiting, known.parameter).slice(-1);
        return last && !(known.last && known.last.at > last.at) ? { ...known, last, before: known.last } : known;
    });
}
