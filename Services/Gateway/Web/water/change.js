/** What changed where: the moments that are compared, classes, sums of zones. Decided here without words. */

import { isInside } from "./outline.js";

/**
 * @typedef {object} ChangePoint As the service says it.
 * @property {string} device
 * @property {string} name
 * @property {boolean} site
 * @property {number} latitude
 * @property {number} longitude
 * @property {number | null} before
 * @property {number | null} after
 * @property {number | null} change
 * @property {number | null} class -3 to 3; null: too little is known.
 * @property {boolean} byHand
 * @property {number} readings
 * @property {number} flagged
 */

/**
 * @typedef {object} Changes
 * @property {string} parameter
 * @property {string} unit
 * @property {number[]} bounds
 * @property {{from: string, until: string}} before
 * @property {{from: string, until: string}} after
 * @property {'hour' | 'day'} part
 * @property {ChangePoint[]} points
 * @property {boolean} cut
 */

/** @typedef {{latitude: number, longitude: number}} Place */
/** In degrees. @typedef {{west: number, south: number, east: number, north: number}} Bounds */

/**
 * @typedef {object} Zone
 * @property {string} id
 * @property {string | null} project
 * @property {string} name
 * @property {Place[]} outline
 * @property {boolean} favourite
 * @property {boolean} mayChange
 * @property {number} version
 */

/** The two moments that are compared. @typedef {{from: number, to: number}} Moments */
/** @typedef {'day' | 'week' | 'month' | 'year'} Distance */
/** @typedef {{from: number, until: number, step: number}} Reach What the slider reaches. */

const hour = 3_600_000;
const day = 24 * hour;

/** @type {Readonly<Record<Distance, number>>} */
export const distances = Object.freeze({ day, week: 7 * day, month: 30 * day, year: 365 * day });

/** The names of the classes, from the lowest: of style sheets and words. */
export const classNames = /** @type {const} */ (["fell3", "fell2", "fell1", "same", "rose1", "rose2", "rose3"]);

/** @param {number | null} rank The class as the service says it. */
export const classOf = (rank) => rank === null ? "none" : classNames[rank + 3] ?? "none";

/** So many points are elements of their own; more are drawn. */
export const mostElements = 200;

/**
 * How long the windows at both moments are, in hours: a day, and a week where half a year lies between.
 * @param {Moments} moments
 */
export const spanOf = ({ from, to }) => to - from >= 180 * day ? 168 : 24;

/** @param {Bounds} bounds */
export const bboxOf = ({ west, south, east, north }) => [west, south, east, north].join(",");

/**
 * The question of what changed.
 * @param {string} parameter
 * @param {string | null} unit
 * @param {Moments} moments
 * @param {Bounds | null} [bounds] null: of the whole world.
 * @returns {Record<string, string>}
 */
export function changeQuery(parameter, unit, moments, bounds = null) {
    return {
        parameter,
        from: new Date(moments.from).toISOString(),
        to: new Date(moments.to).toISOString(),
        span: String(spanOf(moments)),
        ...unit === null ? {} : { unit },
        ...bounds === null ? {} : { bbox: bboxOf(bounds) },
    };
}

/** About two pixels each. */
const seriesPoints = 160;

/**
 * The question of how a value went between the moments.
 * @param {Moments} moments
 * @returns {Record<string, string>}
 */
export const seriesQuery = ({ from, to }) => ({ from: new Date(from).toISOString(), until: new Date(to).toISOString(), points: String(seriesPoints) });

/**
 * The moments that an answer is about.
 * @param {Changes} changes
 * @returns {Moments}
 */
export const momentsOf = ({ before, after }) => ({ from: Date.parse(before.until), to: Date.parse(after.until) });

/**
 * What the slider reaches for a distance: a month back, a year from a month on, three from a year on.
 * @param {number} distance
 * @param {number} now
 * @returns {Reach}
 */
export function reachOf(distance, now) {
    const back = distance >= distances.year ? 3 * 365 * day : distance >= distances.month ? 365 * day : 30 * day;
    const step = distance >= distances.month ? day : hour;
    const until = Math.floor(now / hour) * hour;
    return { from: until - Math.round(back / step) * step, until, step };
}

/**
 * The moments of a distance that end with the other moments' end, as far as the slider reaches.
 * @param {number} distance
 * @param {number} to
 * @param {Reach} reach
 * @returns {Moments}
 */
export function momentsAt(distance, to, reach) {
    const end = Math.min(reach.until, Math.max(reach.from + distance, to));
    return { from: end - distance, to: end };
}

/**
 * The moments with another beginning: a day before the end at least, since windows do not lie on each other.
 * @param {Moments} moments
 * @param {number} from
 * @param {Reach} reach
 * @returns {Moments}
 */
export function begunAt(moments, from, reach) {
    return { from: Math.max(reach.from, Math.min(from, moments.to - distances.day)), to: moments.to };
}

/**
 * The distance that is chosen; null: another one.
 * @param {Moments} moments
 * @returns {Distance | null}
 */
export function distanceOf({ from, to }) {
    return /** @type {Distance[]} */ (Object.keys(distances)).find((name) => distances[name] === to - from) ?? null;
}

/**
 * What the points of a zone come to.
 * @param {readonly ChangePoint[]} points
 */
export function sumOf(points) {
    const known = points.flatMap(({ change }) => change === null ? [] : [change]);
    return {
        /** null: nothing is known. */
        mean: known.length === 0 ? null : known.reduce((sum, change) => sum + change, 0) / known.length,
        count: points.length,
        known: known.length,
        rising: points.filter((point) => (point.class ?? 0) > 0).length,
        falling: points.filter((point) => (point.class ?? 0) < 0).length,
    };
}

/**
 * The class of a mean, by the bounds.
 * @param {number | null} mean
 * @param {readonly number[]} bounds
 */
export function rankOf(mean, bounds) {
    if (mean === null) return null;
    // Means come of binary fractions.
    const rank = bounds.filter((bound) => Math.abs(mean) >= bound - 1e-9).length;
    return mean < 0 ? -rank : rank;
}

/**
 * The points within a zone.
 * @param {readonly ChangePoint[]} points
 * @param {Pick<Zone, 'outline'>} zone
 */
export function pointsIn(points, { outline }) {
    const latitudes = outline.map(({ latitude }) => latitude);
    const [south, north] = [Math.min(...latitudes), Math.max(...latitudes)];
    // Of many points most lie elsewhere.
    return points.filter((point) => point.latitude >= south && point.latitude <= north && isInside(point, outline));
}

/** @typedef {{zone: string | null, kind: 'all' | 'probes' | 'byHand'}} Filter */

/**
 * @param {readonly ChangePoint[]} points
 * @param {Filter} filter
 * @param {readonly Zone[]} zones
 */
export function filtered(points, { zone, kind }, zones) {
    const chosen = zones.find(({ id }) => id === zone);
    const inside = chosen ? pointsIn(points, chosen) : points;
    return kind === "all" ? inside : inside.filter(({ byHand, site }) => (byHand || site) === (kind === "byHand"));
}

/** @typedef {'change' | 'name'} Order */

/**
 * The points in an order: those that changed most first, or by name; what is not known is last.
 * @param {readonly ChangePoint[]} points
 * @param {Order} order
 * @param {string} locale
 */
export function ordered(points, order, locale) {
    const { compare } = new Intl.Collator(locale, { numeric: true });
    /** @param {ChangePoint} point */
    const size = ({ change }) => change === null ? -1 : Math.abs(change);
    return [...points].sort((one, other) => (order === "change" ? size(other) - size(one) : 0) || compare(one.name, other.name));
}

/**
 * The zones as they are listed: favourites first.
 * @param {readonly Zone[]} zones
 * @param {string} locale
 */
export function listed(zones, locale) {
    const { compare } = new Intl.Collator(locale, { numeric: true });
    return [...zones].sort((one, other) => Number(other.favourite) - Number(one.favourite) || compare(one.name, other.name));
}

/**
 * The unit that most devices of the person's have for a parameter, of those in which equal changes are equal; null: the parameter's own.
 * @param {Iterable<{items: readonly {name: string, unit: string, decimals: number, scale?: import("./scales.js").Scale}[]}>} lists
 * @param {string} parameter
 */
export function unitOf(lists, parameter) {
    /** @type {Map<string, {count: number, decimals: number}>} */
    const counts = new Map();
    for (const { items } of lists) {
        const found = items.find(({ name }) => name === parameter);
        if (!found || found.scale?.factor === null) continue;
        const had = counts.get(found.unit);
        counts.set(found.unit, { count: (had?.count ?? 0) + 1, decimals: found.decimals });
    }
    let best = null;
    for (const [unit, { count, decimals }] of counts) {
        if (!best || count > best.count) best = { unit, count, decimals };
    }
    return best;
}
