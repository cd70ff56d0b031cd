/** Others' public stations, as the service tells of them. */

/**
 * @typedef {'usgs' | 'sensorThings'} StationKind
 * @typedef {{id: string, name: string, unit: string, parameter: string | null, newest: string | null}} Series
 *
 * @typedef {object} Station
 * @property {StationKind} kind
 * @property {string} station Its number, or its address.
 * @property {string | null} title
 * @property {string} source Whose values they are.
 * @property {string} page
 * @property {readonly Series[]} series
 * @property {string} setAt
 * @property {string | null} askedAt
 * @property {string | null} fetchedAt
 * @property {string | null} fault
 * @property {string} dueAt
 *
 * @typedef {{station: Station | null, kinds: readonly StationKind[], hosts: readonly string[]}} Stations
 */

/** The choice of what a series is by its own name. */
export const byItself = "";
/** The choice not to show a series. */
export const hidden = "-";

/** Whether it has not answered since it was chosen, and nothing is wrong: there is something to wait for. @param {Station | null} station */
export const isNew = (station) => station !== null && station.fault === null && station.fetchedAt === null;

/**
 * How a station does, in words; what a later version of the service has found is told as a fault of the station itself.
 * @param {import("../words/format.js").Voice} voice
 * @param {Station} station
 */
export function standingOf({ t }, station) {
    if (station.fault !== null) {
        const key = `station.fault_${station.fault}`;
        return t(t.has(key) ? key : "station.fault_broken");
    }
    return t(isNew(station) ? "station.new" : "station.works");
}

/**
 * What the owner of a place says of the series of its station, once they have said what one of them is: the others stay as they are.
 * @param {readonly Series[]} series
 * @param {string} id
 * @param {string} choice A parameter, `hidden` or `byItself`.
 * @returns {{id: string, parameter: string | null}[]}
 */
export function chosen(series, id, choice) {
    return series.flatMap((one) => {
        if (one.id !== id) return [{ id: one.id, parameter: one.parameter }];
        return choice === byItself ? [] : [{ id, parameter: choice === hidden ? null : choice }];
    });
}

/**
 * What a person typed, without what copying brings along.
 * @param {string} text
 */
export const typed = (text) => text.trim();
