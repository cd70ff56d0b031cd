/** Outlines on the map: whether a place is inside, and the outline around places. */

/** @typedef {{latitude: number, longitude: number}} Place */

/** So many corners an outline has. */
export const corners = Object.freeze({ least: 3, most: 200 });

/** Beyond so many places the outline around them is rougher, so that it has no more corners than it may have. */
const mostRound = 20;

/**
 * The longitude counted on from another one, across the meridian where longitudes begin anew.
 * @param {number} longitude
 * @param {number} from
 */
const onFrom = (longitude, from) => from + (((longitude - from + 180) % 360) + 360) % 360 - 180;

/**
 * Whether a place lies within an outline, whose last corner is joined to the first.
 * @param {Place} place
 * @param {readonly Place[]} outline
 */
export function isInside(place, outline) {
    if (outline.length === 0) return false;
    const start = outline[0].longitude;
    const x = onFrom(place.longitude, start);
    const y = place.latitude;
    let inside = false;
    let before = outline[outline.length - 1];
    for (const corner of outline) {
        const [fromX, toX] = [onFrom(before.longitude, start), onFrom(corner.longitude, start)];
        if ((before.latitude > y) !== (corner.latitude > y) && x < fromX + (toX - fromX) * (y - before.latitude) / (corner.latitude - before.latitude)) {
            inside = !inside;
        }
        before = corner;
    }
    return inside;
}

/**
 * An outline around places, with room: the smallest without a dent.
 * @param {readonly Place[]} places At least one.
 * @returns {Place[]}
 */
export function outlineAround(places) {
    const start = places[0].longitude;
    const points = places.map(({ latitude, longitude }) => ({ x: onFrom(longitude, start), y: latitude }));
    const middle = points.reduce((sum, { y }) => sum + y, 0) / points.length;
    /** Degrees of longitude are shorter than those of latitude. */
    const narrow = Math.max(0.01, Math.cos(middle * Math.PI / 180));
    const width = (Math.max(...points.map(({ x }) => x)) - Math.min(...points.map(({ x }) => x))) * narrow;
    const height = Math.max(...points.map(({ y }) => y)) - Math.min(...points.map(({ y }) => y));
    /** A hundred metres at least. */
    const room = Math.max(0.001, Math.max(width, height) / 8);
    const directions = places.length > mostRound ? 4 : 8;
    const around = points.flatMap(({ x, y }) =>
        Array.from({ length: directions }, (_, index) => {
            const angle = (index + 0.5) / directions * 2 * Math.PI;
            return { x: x + Math.cos(angle) * room / narrow, y: y + Math.sin(angle) * room };
        })
    );
    return hullOf(around).slice(0, corners.most).map(({ x, y }) => ({
        latitude: rounded(Math.min(90, Math.max(-90, y))),
        longitude: rounded(onFrom(x, 0)),
    }));
}

/** @param {number} degrees As exactly as the service keeps it. */
export const rounded = (degrees) => Math.round(degrees * 1e6) / 1e6;

/**
 * The convex hull of points, by Andrew's monotone chain.
 * @template {{x: number, y: number}} P
 * @param {readonly P[]} points
 * @returns {P[]} Its corners in order.
 */
function hullOf(points) {
    const sorted = [...points].sort((one, other) => one.x - other.x || one.y - other.y);
    /** @param {readonly P[]} from */
    const half = (from) => {
        /** @type {P[]} */
        const chain = [];
        for (const point of from) {
            while (chain.length > 1 && turn(chain[chain.length - 2], chain[chain.length - 1], point) <= 0) chain.pop();
            chain.push(point);
        }
        return chain.slice(0, -1);
    };
    return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.reverse())];
}

/**
 * Above 0: the way turns to the left.
 * @param {{x: number, y: number}} from
 * @param {{x: number, y: number}} by
 * @param {{x: number, y: number}} to
 */
const turn = (from, by, to) => (by.x - from.x) * (to.y - from.y) - (by.y - from.y) * (to.x - from.x);

/**
 * Whether the sides of an outline cross or touch each other, so that the service would refuse it.
 * @param {readonly Place[]} outline
 */
export function crosses(outline) {
    const start = outline[0]?.longitude ?? 0;
    const points = outline.map(({ latitude, longitude }) => ({ x: onFrom(longitude, start), y: latitude }));
    const count = points.length;
    for (let first = 0; first < count; first += 1) {
        for (let second = first + 2; second < count; second += 1) {
            if (first === 0 && second === count - 1) continue;
            if (meet(points[first], points[(first + 1) % count], points[second], points[(second + 1) % count])) return true;
        }
    }
    return false;
}

/**
 * @param {{x: number, y: number}} a
 * @param {{x: number, y: number}} b
 * @param {{x: number, y: number}} c
 * @param {{x: number, y: number}} d
 */
function meet(a, b, c, d) {
    const [toC, toD, toA, toB] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)].map(Math.sign);
    if (toC !== toD && toA !== toB) return true;
    // On one line: whether they lie on each other.
    return toC === 0 && toD === 0 && Math.max(Math.min(a.x, b.x), Math.min(c.x, d.x)) <= Math.min(Math.max(a.x, b.x), Math.max(c.x, d.x)) &&
        Math.max(Math.min(a.y, b.y), Math.min(c.y, d.y)) <= Math.min(Math.max(a.y, b.y), Math.max(c.y, d.y));
}
