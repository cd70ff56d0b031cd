/** What limits for many tanks would have told, tank by tank, before they are set. */

/** @typedef {{alarms: number, courseAlarms: number, reminders: number}} Told */

/**
 * The service's answer about a tank and a parameter.
 * @typedef {object} Answer
 * @property {string} device
 * @property {string | null} since When the first reading was taken that counts.
 * @property {boolean} tooNew
 * @property {Told} present
 * @property {Told | null} next null: it has another limit, which those that are tried would cross.
 */

/**
 * A tank, with the alarms of all parameters.
 * @typedef {object} Row
 * @property {string} device
 * @property {number} present
 * @property {number} next Of a parameter whose limits stay, those of the present ones.
 * @property {boolean} isMeasured Whether there are readings.
 * @property {boolean} isTooNew Whether those of a parameter say nothing.
 * @property {boolean} isCrossed Whether the limits of a parameter stay.
 */

/** The most tanks that are tried at once. */
export const mostTanks = 100;
/** So many the service takes in a request. */
const batch = 8;

/**
 * @template T
 * @param {readonly T[]} devices
 * @returns {T[][]}
 */
export const batchesOf = (devices) =>
    Array.from({ length: Math.ceil(devices.length / batch) }, (_, index) => devices.slice(index * batch, (index + 1) * batch));

/**
 * Adds answers to the rows of their tanks.
 * @param {Map<string, Row>} rows
 * @param {readonly Answer[]} answers
 */
export function add(rows, answers) {
    for (const { device, since, tooNew, present, next } of answers) {
        const row = rows.get(device) ?? { device, present: 0, next: 0, isMeasured: false, isTooNew: false, isCrossed: false };
        const isMeasured = since !== null;
        rows.set(device, {
            device,
            present: row.present + alarmsOf(present),
            next: row.next + alarmsOf(next ?? present),
            isMeasured: row.isMeasured || isMeasured,
            isTooNew: row.isTooNew || isMeasured && tooNew,
            isCrossed: row.isCrossed || next === null,
        });
    }
}

/** @param {Told} told */
const alarmsOf = ({ alarms, courseAlarms }) => alarms + courseAlarms;

/**
 * The rows, those with the most alarms first; what is alike stays in its order.
 * @param {Iterable<Row>} rows
 */
export const ordered = (rows) => [...rows].sort((one, other) => other.next - one.next || other.present - one.present);

/** @param {readonly Row[]} rows */
export const totalOf = (rows) => rows.reduce((sum, { present, next }) => ({ present: sum.present + present, next: sum.next + next }), { present: 0, next: 0 });
