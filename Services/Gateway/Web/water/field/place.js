/** Where a sample is taken: the position that several fixes agree on, one that is typed, and the known places near it. */

import { median, parseNumber } from "../../words/numbers.js";
import { metresBetween } from "./trail.js";

/** @typedef {import("./draft.js").Position} Position */
/** @typedef {{time: number, latitude: number, longitude: number, accuracy: number, altitude: number | null}} PlaceFix */

/** So long back the fixes count, in milliseconds. */
const window = 10_000;
/** What is worse asks for another way to say the place, in metres. */
export const doubtful = 50;

/**
 * The middle of the last fixes: those of the last seconds that are no worse than twice the best of them.
 * @param {readonly PlaceFix[]} fixes Oldest first.
 * @returns {Position | null}
 */
export function settled(fixes) {
    const last = fixes.at(-1);
    if (!last) return null;
    const recent = fixes.filter(({ time }) => last.time - time <= window);
    const best = Math.min(...recent.map(({ accuracy }) => accuracy));
    const good = recent.filter(({ accuracy }) => accuracy <= 2 * best);
    const heights = good.flatMap(({ altitude }) => altitude ?? []);
    // Longitudes beside the 180th meridian have no middle between them.
    const isSplit = good.some(({ longitude }) => Math.abs(longitude - good[0].longitude) > 180);
    return {
        latitude: rounded(median(good.map(({ latitude }) => latitude)), 7),
        longitude: rounded(isSplit ? last.longitude : median(good.map(({ longitude }) => longitude)), 7),
        accuracy: Math.max(1, Math.round(median(good.map(({ accuracy }) => accuracy)))),
        altitude: heights.length === 0 ? null : Math.min(10_000, Math.max(-500, Math.round(median(heights)))),
        source: "gps",
    };
}

/** @param {number} value @param {number} decimals */
const rounded = (value, decimals) => Math.round(value * 10 ** decimals) / 10 ** decimals;

/**
 * A position as somebody typed it, in degrees; null where it is none.
 * @param {string} latitude
 * @param {string} longitude
 * @returns {Position | null}
 */
export function typedPosition(latitude, longitude) {
    const [north, east] = [parseNumber(latitude), parseNumber(longitude)];
    if (north === null || east === null || Math.abs(north) > 90 || Math.abs(east) > 180) return null;
    return { latitude: rounded(north, 7), longitude: rounded(east, 7), accuracy: null, altitude: null, source: "typed" };
}

/**
 * Places with their distances, the nearest first; without a position, and of those that have none, in their own order.
 * @template {{latitude?: number | null, longitude?: number | null}} P
 * @param {readonly P[]} places
 * @param {{latitude: number, longitude: number} | null} from
 * @returns {{place: P, metres: number | null}[]}
 */
export function byDistance(places, from) {
    return places.map((place) => {
        const { latitude = null, longitude = null } = place;
        return { place, metres: from && latitude !== null && longitude !== null ? metresBetween(from, { latitude, longitude }) : null };
    }).sort((one, other) => (one.metres ?? Infinity) - (other.metres ?? Infinity) || 0);
}

/** As near as this to a press on the map is a known place, in metres. */
export const nearby = 200;
/** So many of them are offered. */
const mostNear = 5;

/**
 * The known places near another, the nearest first.
 * @template {{latitude?: number | null, longitude?: number | null}} P
 * @param {readonly P[]} places
 * @param {{latitude: number, longitude: number}} at
 */
export const placesNear = (places, at) => byDistance(places, at).filter(({ metres }) => metres !== null && metres <= nearby).slice(0, mostNear);

/**
 * The way to a new sample. Where it is taken stands behind the mark that browsers send to nobody.
 * @param {{device?: string | null, at?: {latitude: number, longitude: number} | null}} wish
 */
export function newSamplePath({ device = null, at = null }) {
    const query = device === null ? "" : `?device=${encodeURIComponent(device)}`;
    return `/field/new${query}${at === null ? "" : `#at=${rounded(at.latitude, 6)},${rounded(at.longitude, 6)}`}`;
}

/**
 * The wish that an address has: at which place, and where on the map.
 * @param {{search: string, hash: string}} address
 * @returns {{device: string | null, position: Position | null}}
 */
export function wishOf({ search, hash }) {
    const [latitude, longitude] = (/^#at=(.+)$/.exec(hash)?.[1] ?? "").split(",");
    const position = longitude === undefined ? null : typedPosition(latitude, longitude);
    return { device: new URLSearchParams(search).get("device"), position: position && { ...position, source: "map" } };
}

/** Whether something is a place without a device. @param {{id: string, kind?: string}} device */
export const isSite = ({ kind }) => kind === "site";
