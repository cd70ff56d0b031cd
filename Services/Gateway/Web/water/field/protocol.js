/** Protocols of field samples: what is measured at a place, in which steps, as the service describes them. */

/** @typedef {{id: string, label: string, from?: number | null, to?: number | null}} Choice One of a list; with bounds: a class, which is an interval. */
/** @typedef {{id: string, label: string, scientific?: string | null}} Species */
/** @typedef {'number' | 'class' | 'choice' | 'text' | 'count' | 'flag'} FieldKind */

/**
 * @typedef {object} Field
 * @property {string} id
 * @property {FieldKind} kind One of a newer service is shown by its name alone.
 * @property {string} label
 * @property {string | null} [help]
 * @property {string | null} [parameter] Whose value by hand it becomes.
 * @property {string | null} [unit]
 * @property {number | null} [minimum] Less cannot be.
 * @property {number | null} [maximum]
 * @property {readonly Choice[]} [choices]
 * @property {readonly Species[]} [species]
 * @property {boolean} [required]
 * @property {'sample' | 'station' | 'depth'} [each]
 * @property {string | null} [method]
 * @property {readonly string[]} [meanOf] It is the mean of these, and nobody enters it.
 */

/**
 * @typedef {object} Protocol
 * @property {string} id
 * @property {number} version
 * @property {string} name
 * @property {string | null} [help]
 * @property {readonly Field[]} fields
 * @property {number} stations How many a fixed route has at most; 0: it has none.
 * @property {boolean} depths Whether a profile of depths is measured.
 * @property {boolean} [builtIn] Whether it comes with the service.
 */

/** Where in a sample something was measured. @typedef {{station?: string | null, depth?: number | null}} Spot */

/**
 * The name of a value within its sample.
 * @param {string} field
 * @param {Spot} [spot]
 */
export const keyOf = (field, { station, depth } = {}) => `${field}|${station ?? ""}|${depth ?? ""}`;

/** @param {string} key @returns {{field: string, station?: string, depth?: number}} */
export function placedOf(key) {
    const [field, station, depth] = key.split("|");
    return { field, ...station === "" ? {} : { station }, ...depth === "" ? {} : { depth: Number(depth) } };
}

/** Whether a person enters a field. @param {Field} field */
export const isEntered = ({ meanOf }) => !meanOf || meanOf.length === 0;

/**
 * The fields of a protocol by where they are measured.
 * @param {Protocol} protocol
 * @param {'sample' | 'station' | 'depth'} each
 */
export const fieldsOf = (protocol, each) => protocol.fields.filter((field) => (field.each ?? "sample") === each);

/**
 * The spots at which a field is measured in a sample.
 * @param {Field} field
 * @param {{stations: readonly string[], depths: readonly number[]}} draft
 * @returns {Spot[]}
 */
export function spotsOf({ each }, { stations, depths }) {
    if (each === "station") return stations.map((station) => ({ station }));
    return each === "depth" ? depths.map((depth) => ({ depth })) : [{}];
}
