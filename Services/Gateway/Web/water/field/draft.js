/**
 * A field sample as it is kept on this device: begun, left, taken up again, done, and then kept until the service has shown all of it again.
 * Decisions alone.
 */

import { parseNumber, rounded } from "../../words/numbers.js";
import { thinned, worst } from "./trail.js";
import { typedOf, valuesOf } from "./values.js";

/** @typedef {import("./protocol.js").Protocol} Protocol */
/** @typedef {import("./values.js").Typed} Typed */
/** @typedef {import("./values.js").Value} Value */
/** @typedef {import("./trail.js").Segment} Segment */

/** Of the drafts that this version writes. */
const schema = 1;
/** So many drafts of one person are kept here, and photos of a sample. */
export const mostDrafts = 50;
export const mostPhotos = 20;
export const mostSurveyors = 20;
export const mostDepths = 40;
/** Of a surveyor, in characters, and of what is said in words. */
const longestName = 64;
export const longestText = 2_000;

/** @typedef {'clear' | 'clouded' | 'overcast' | 'showers' | 'rain' | 'storm' | 'snow'} Sky */
/** Letter by letter where it is a number. @typedef {{now: Sky | null, before: Sky | null, airTemperature: string, wind: string, cloud: string, rain: string}} TypedWeather */
/** @typedef {{latitude: number, longitude: number, accuracy: number | null, altitude: number | null, source: 'gps' | 'map' | 'typed'}} Position */

/**
 * sent: the service has it. again: it took it and did not show it, so that it went once more. refused: why it does not take it. lost: its bytes are
 * here no more, or the service did not show it twice.
 * @typedef {{id: string, takenAt: string, type: string, bytes: number, sent: boolean, again?: boolean, refused?: string, lost?: 'here' | 'there'}} DraftPhoto
 */

/** What a sample says, as the service takes it. */
/**
 * @typedef {object} Content
 * @property {string} device
 * @property {string} protocol
 * @property {number} protocolVersion
 * @property {string} begunAt
 * @property {string | null} endedAt
 * @property {string} zone
 * @property {number} utcOffset In minutes, at its beginning.
 * @property {'begun' | 'done'} state
 * @property {readonly string[]} surveyors
 * @property {{now: Sky | null, before: Sky | null, airTemperature: number | null, wind: number | null, cloud: number | null, rain: number | null} | null} weather
 * @property {string | null} habitat
 * @property {string | null} comment
 * @property {Position | null} position
 * @property {readonly Value[]} values
 * @property {readonly (readonly (readonly [number, number, number, number | null])[])[]} track Stretches of seconds since the beginning, degrees and metres.
 */

/**
 * What the service says of a sample.
 * @typedef {Omit<Content, 'state'> & {id: string, state: 'begun' | 'done' | 'withdrawn', version: number, author: {name: string, isMe: boolean} | null,
 *     receivedAt?: string, changedAt?: string, isFlagged?: boolean,
 *     review?: {review: string, note: string | null} | null, means?: readonly {field: string, station?: string | null, depth?: number | null, number: number}[],
 *     photos: readonly {id: string, takenAt: string | null, bytes: number, type: string}[], receivers?: readonly string[]}} Sample
 */

/**
 * @typedef {object} Draft
 * @property {number} schema
 * @property {string} id The sample's.
 * @property {string} account Whose it is, by when the account was made.
 * @property {string | null} device Where it is taken.
 * @property {string | null} place The name of a place that is yet to be made.
 * @property {Protocol} protocol As it was when the sample began: it is at hand without a connection, and stays as it was.
 * @property {string} begunAt
 * @property {string | null} endedAt
 * @property {string} zone
 * @property {number} utcOffset
 * @property {'begun' | 'done'} state
 * @property {readonly string[]} surveyors
 * @property {TypedWeather} weather
 * @property {string} habitat
 * @property {string} comment
 * @property {Position | null} position
 * @property {readonly string[]} stations
 * @property {readonly number[]} depths In metres.
 * @property {Readonly<Record<string, Typed>>} values By their keys.
 * @property {readonly Segment[]} track
 * @property {boolean} isTrackLeftOut
 * @property {readonly DraftPhoto[]} photos
 * @property {readonly string[]} gone Photos that the service has, and that were taken away here.
 * @property {number} edits How often a person has changed it: of two copies the one with more says what it says.
 * @property {number} revision How often it was done.
 * @property {number} answered Which of them the service has.
 * @property {{version: number, content: Content} | null} base What of the service's it was made from.
 * @property {boolean} [isMissing] The service had it and has it no more.
 * @property {string} [instead] The sample that it was sent anew of, of which nothing is to go any more.
 */

/** @type {TypedWeather} */
const noWeather = Object.freeze({ now: null, before: null, airTemperature: "", wind: "", cloud: "", rain: "" });

/**
 * @param {{id: string, account: string, device: string | null, place?: string | null, protocol: Protocol, position?: Position | null, zone: string, utcOffset: number, now: number, surveyors?: readonly string[]}} begun
 * @returns {Draft}
 */
export function begun({ id, account, device, place = null, protocol, position = null, zone, utcOffset, now, surveyors = [] }) {
    return {
        schema, id, account, device, place, protocol, begunAt: new Date(now).toISOString(), endedAt: null, zone, utcOffset, state: "begun", surveyors,
        weather: noWeather, habitat: "", comment: "", position, stations: protocol.stations > 0 ? ["1"] : [], depths: protocol.depths ? [0] : [],
        values: {}, track: [], isTrackLeftOut: false, photos: [], gone: [], edits: 0, revision: 0, answered: 0, base: null,
    };
}

/**
 * A sample of the service, to be changed.
 * @param {Sample} sample
 * @param {Protocol} protocol
 * @param {string} account
 * @returns {Draft}
 */
export function taken(sample, protocol, account) {
    const content = contentIn(sample);
    const made = begun({ id: sample.id, account, device: sample.device, protocol, zone: sample.zone, utcOffset: sample.utcOffset, now: Date.parse(sample.begunAt) });
    const photos = sample.photos.map(({ id, takenAt, bytes, type }) => ({ id, takenAt: takenAt ?? sample.begunAt, bytes, type, sent: true }));
    return { ...filled(made, content), photos, revision: 1, answered: 1, base: { version: sample.version, content } };
}

/**
 * A sample that the service has no more, as another one that it never had and that is done.
 * @param {Draft} draft
 * @param {{id: string, device: string | null, endedAt: string, photos: readonly DraftPhoto[]}} anew device: where it is taken: its place may be another
 *     person's by now; photos: those that are on this device.
 * @returns {Draft}
 */
export function renewed({ isMissing: _, ...draft }, { id, device, endedAt, photos }) {
    return { ...draft, id, device, endedAt, state: "done", photos, gone: [], edits: draft.edits + 1, revision: 1, answered: 0, base: null, instead: draft.id };
}

/**
 * A draft that says what a content says; its photos stay.
 * @param {Draft} draft
 * @param {Content} content
 * @returns {Draft}
 */
export function filled(draft, content) {
    const { device, begunAt, endedAt, zone, utcOffset, surveyors, weather, habitat, comment, position, values, track } = content;
    const start = Date.parse(begunAt);
    /** @param {number | null | undefined} value */
    const text = (value) => value === null || value === undefined ? "" : String(value);
    return {
        ...draft, device, place: null, begunAt, endedAt, zone, utcOffset, surveyors, position, habitat: habitat ?? "", comment: comment ?? "",
        weather: weather
            ? { now: weather.now ?? null, before: weather.before ?? null, airTemperature: text(weather.airTemperature), wind: text(weather.wind), cloud: text(weather.cloud), rain: text(weather.rain) }
            : noWeather,
        stations: draft.protocol.stations > 0 ? spots(values, "station", "1") : [],
        depths: draft.protocol.depths ? spots(values, "depth", 0) : [],
        values: typedOf(values),
        track: track.map((segment) => segment.map(([seconds, latitude, longitude, accuracy]) => ({ time: start + 1_000 * seconds, latitude, longitude, accuracy: accuracy ?? worst }))),
    };
}

/**
 * @template {'station' | 'depth'} N
 * @param {readonly Value[]} values
 * @param {N} name
 * @param {NonNullable<Value[N]>} first
 * @returns {NonNullable<Value[N]>[]}
 */
function spots(values, name, first) {
    const found = new Set(values.flatMap((value) => value[name] ?? []));
    return /** @type {any[]} */ (found.size === 0 ? [first] : [...found]).sort((one, other) => Number(one) - Number(other));
}

/**
 * What a draft says, as it is sent.
 * @param {Draft} draft
 * @returns {Content}
 */
export function contentOf(draft) {
    const { device, protocol, begunAt, endedAt, zone, utcOffset, surveyors, habitat, comment, position, track, isTrackLeftOut } = draft;
    const start = Date.parse(begunAt);
    return {
        device: device ?? "", protocol: protocol.id, protocolVersion: protocol.version, begunAt, endedAt, zone, utcOffset, state: draft.state,
        surveyors: surveyors.map((name) => name.trim().slice(0, longestName)).filter((name) => name !== "").slice(0, mostSurveyors),
        weather: weatherOf(draft.weather), habitat: habitat.trim() || null, comment: comment.trim() || null, position, values: valuesOf(protocol, draft),
        track: isTrackLeftOut ? [] : thinned(track).map((segment) => segment.map(({ time, latitude, longitude, accuracy }) => [Math.round((time - start) / 1_000), rounded(latitude, 5), rounded(longitude, 5), Math.round(accuracy * 10) / 10])),
    };
}

/** What a sample of the service says. @param {Sample} sample @returns {Content} */
export function contentIn(sample) {
    const { device, protocol, protocolVersion, begunAt, endedAt, zone, utcOffset, state, surveyors, weather, habitat, comment, position, values, track } = sample;
    return { device, protocol, protocolVersion, begunAt, endedAt, zone, utcOffset, state: state === "begun" ? state : "done", surveyors, weather, habitat, comment, position, values, track: track ?? [] };
}

/** What is measured of the weather: its unit, the least and the most that can be, and how many digits are sent. */
export const measures = Object.freeze(/** @type {const} */ ({
    airTemperature: { unit: "°C", least: -90, most: 70, decimals: 1 },
    wind: { unit: "0–12", least: 0, most: 12, decimals: 0 },
    cloud: { unit: "%", least: 0, most: 100, decimals: 0 },
    rain: { unit: "mm", least: 0, most: 2_000, decimals: 1 },
}));

/**
 * A measure of the weather as a number; null where there is none, undefined where it cannot be.
 * @param {keyof typeof measures} name
 * @param {string} text
 */
export function measured(name, text) {
    const { least, most, decimals } = measures[name];
    if (text.trim() === "") return null;
    const number = parseNumber(text);
    return number === null || number < least || number > most ? undefined : rounded(number, decimals);
}

/** @param {TypedWeather} typed */
function weatherOf(typed) {
    const { now, before } = typed;
    const numbers = Object.fromEntries(Object.keys(measures).map((name) => {
        const key = /** @type {keyof typeof measures} */ (name);
        return [key, measured(key, typed[key]) ?? null];
    }));
    if (now === null && before === null && Object.values(numbers).every((number) => number === null)) return null;
    return { now, before, airTemperature: numbers.airTemperature, wind: numbers.wind, cloud: numbers.cloud, rain: numbers.rain };
}

/**
 * A row of this device's store as a draft of this version; what cannot be made one is kept as it is.
 * @param {any} row
 * @param {Readonly<Record<number, (row: any) => any>>} [steps] From each older schema to the next.
 * @returns {{draft: Draft} | {unread: unknown}}
 */
export function migrated(row, steps = {}) {
    let now = row;
    while (now?.schema < schema && steps[now.schema]) {
        const from = now.schema;
        try {
            now = steps[from](now);
        } catch {
            return { unread: row };
        }
        if (!(now?.schema > from)) return { unread: row };
    }
    return isWhole(now) ? { draft: now } : { unread: row };
}

/** @param {any} row */
function isWhole(row) {
    return row?.schema === schema && typeof row.id === "string" && Array.isArray(row.protocol?.fields) && Array.isArray(row.photos) &&
        Array.isArray(row.track) && typeof row.values === "object" && row.values !== null;
}

/**
 * Two copies of a draft as one, such as of two windows: what a person said last, with all that either knows of its way.
 * @param {Draft} one Of copies with as many edits the one that counts.
 * @param {Draft} other
 * @returns {Draft}
 */
export function joined(one, other) {
    const [last, first] = one.edits >= other.edits ? [one, other] : [other, one];
    const sent = new Set(first.photos.filter((photo) => photo.sent).map(({ id }) => id));
    return {
        ...last,
        answered: Math.max(last.answered, first.answered),
        ...one.isMissing || other.isMissing ? { isMissing: true } : {},
        base: (first.base?.version ?? 0) > (last.base?.version ?? 0) ? first.base : last.base,
        photos: last.photos.map((photo) => sent.has(photo.id) && !photo.again ? { ...photo, sent: true } : photo),
    };
}

/** Whether nothing was said yet that anybody would miss; where it was begun is known without a person. @param {Draft} draft */
export function isBlank(draft) {
    const { habitat, comment, photos, track, values, weather, position, edits } = draft;
    return Object.keys(values).length === 0 && photos.length === 0 && track.length === 0 && habitat === "" && comment === "" &&
        Object.values(weather).every((said) => said === null || said === "") && (position === null || edits === 0) && draft.base === null;
}
