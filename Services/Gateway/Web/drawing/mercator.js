/**
 * Web Mercator: the earth as a square of tiles, four times as many with each zoom level. Places in the square go from 0 to 1,
 * eastward and southward.
 */

/** @typedef {{latitude: number, longitude: number}} Place */
/** @typedef {{x: number, y: number}} Point */

/**
 * What is looked at: the middle of it in the square, and the zoom level, which may lie between two levels.
 * @typedef {Point & {zoom: number}} View
 */

/** @typedef {{width: number, height: number}} Size */

/**
 * A tile, and where its upper left corner is in pixels of the view.
 * @typedef {{z: number, x: number, y: number, left: number, top: number, size: number}} Tile
 */

export const tileSize = 256;
const leastZoom = 1;
const mostZoom = 19;
/** Nearer than this nobody looks at first who has one device, or several in one place. */
const homeZoom = 15;

/**
 * Beyond 85.0511 degrees the square ends, since the poles are infinitely far away; what lies there stands at its edge.
 * @param {Place} place
 * @returns {Point}
 */
export function pointOf({ latitude, longitude }) {
    const sine = Math.sin(latitude * Math.PI / 180);
    return {
        x: turned(longitude / 360 + 0.5),
        y: Math.min(1, Math.max(0, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI))),
    };
}

/**
 * The place at a point of the square.
 * @param {Point} point
 * @returns {Place}
 */
export function placeOf({ x, y }) {
    return { latitude: Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180 / Math.PI, longitude: turned(x) * 360 - 180 };
}

/**
 * East of the last meridian comes the first one.
 * @param {number} x
 */
function turned(x) {
    return x - Math.floor(x);
}

/** @param {number} zoom */
function worldSize(zoom) {
    return tileSize * 2 ** zoom;
}

/**
 * The view kept within the levels there are, and its middle within the square.
 * @param {View} view
 * @param {Size} size
 * @returns {View}
 */
export function bounded({ x, y, zoom }, { height }) {
    const level = Math.min(mostZoom, Math.max(leastZoom, zoom));
    // No further north or south than the square's edge, while it is higher than the window.
    const half = Math.min(0.5, height / worldSize(level) / 2);
    return { x: turned(x), y: Math.min(1 - half, Math.max(half, y)), zoom: level };
}

/**
 * Where a place stands in the window, at the nearer side of the earth.
 * @param {Place} place
 * @param {View} view
 * @param {Size} size
 * @returns {Point}
 */
export function positionOf(place, view, { width, height }) {
    const point = pointOf(place);
    const world = worldSize(view.zoom);
    const east = turned(point.x - view.x + 0.5) - 0.5;
    return { x: width / 2 + east * world, y: height / 2 + (point.y - view.y) * world };
}

/**
 * The place under a point of the window.
 * @param {Point} at
 * @param {View} view
 * @param {Size} size
 * @returns {Place}
 */
export function placeAt(at, view, { width, height }) {
    const world = worldSize(view.zoom);
    return placeOf({ x: view.x + (at.x - width / 2) / world, y: Math.min(1, Math.max(0, view.y + (at.y - height / 2) / world)) });
}

/**
 * The view after the map was dragged.
 * @param {View} view
 * @param {Point} by In pixels, eastward and southward.
 * @param {Size} size
 * @returns {View}
 */
export function dragged(view, by, size) {
    const world = worldSize(view.zoom);
    return bounded({ ...view, x: view.x - by.x / world, y: view.y - by.y / world }, size);
}

/**
 * How far what was drawn for a view stands off in another one, at the nearer side of the earth.
 * @param {View} drawn
 * @param {View} view
 * @returns {Point | null} In pixels; null: the levels differ, so that it has to be drawn again.
 */
export function shiftOf(drawn, view) {
    if (drawn.zoom !== view.zoom) return null;
    const world = worldSize(view.zoom);
    return { x: (turned(drawn.x - view.x + 0.5) - 0.5) * world, y: (drawn.y - view.y) * world };
}

/**
 * The view at another level; what is under a point of the window stays under it.
 * @param {View} view
 * @param {number} zoom
 * @param {Point} at
 * @param {Size} size
 * @returns {View}
 */
export function zoomedTo(view, zoom, at, size) {
    const level = Math.min(mostZoom, Math.max(leastZoom, zoom));
    const share = 1 / worldSize(view.zoom) - 1 / worldSize(level);
    return bounded({
        x: view.x + (at.x - size.width / 2) * share,
        y: view.y + (at.y - size.height / 2) * share,
        zoom: level,
    }, size);
}

/**
 * The nearest view in which all places stand, with a margin around them.
 * @param {readonly Place[]} places
 * @param {Size} size
 * @param {number} margin
 * @returns {View}
 */
export function fitting(places, size, margin) {
    if (places.length === 0) return { x: 0.5, y: 0.5, zoom: leastZoom };
    const points = places.map(pointOf);
    // Counted from the first place on, so that neighbours across the date line are neighbours.
    const easts = points.map(({ x }) => turned(x - points[0].x + 0.5) - 0.5);
    const souths = points.map(({ y }) => y);
    const [west, east] = [Math.min(...easts), Math.max(...easts)];
    const [north, south] = [Math.min(...souths), Math.max(...souths)];
    /**
     * @param {number} span
     * @param {number} length
     */
    const levelOf = (span, length) => span > 0 ? Math.log2(Math.max(1, length - 2 * margin) / span / tileSize) : Infinity;
    const isOnePlace = east === west && south === north;
    const zoom = Math.min(isOnePlace ? homeZoom : mostZoom, Math.floor(Math.min(levelOf(east - west, size.width), levelOf(south - north, size.height))));
    return bounded({ x: points[0].x + (west + east) / 2, y: (north + south) / 2, zoom }, size);
}

/** Levels that the pictures of a map may be away from the view: smaller ones are a multitude, larger ones a blur. */
const reach = 2;

/**
 * The tiles that the window shows, those in the middle first. Nearer than the map goes its last level is enlarged.
 * @param {View} view
 * @param {Size} size
 * @param {{leastZoom: number, mostZoom: number}} [levels] That the map has.
 * @returns {Tile[]}
 */
export function tilesOf(view, size, levels = { leastZoom: 0, mostZoom }) {
    const z = Math.min(levels.mostZoom, Math.max(levels.leastZoom, Math.round(view.zoom)));
    if (z - view.zoom > reach) return [];
    const count = 2 ** z;
    const side = tileSize * 2 ** (view.zoom - z);
    const left = view.x * count * side - size.width / 2;
    const top = view.y * count * side - size.height / 2;
    /** @type {Tile[]} */
    const tiles = [];
    for (let row = Math.max(0, Math.floor(top / side)); row < Math.min(count, (top + size.height) / side); row += 1) {
        for (let column = Math.floor(left / side); column < (left + size.width) / side; column += 1) {
            const x = ((column % count) + count) % count;
            tiles.push({ z, x, y: row, left: column * side - left, top: row * side - top, size: side });
        }
    }
    /** @param {Tile} tile */
    const distance = (tile) => Math.hypot(tile.left + side / 2 - size.width / 2, tile.top + side / 2 - size.height / 2);
    return tiles.sort((one, other) => distance(one) - distance(other));
}

/**
 * @param {string} template
 * @param {{z: number, x: number, y: number}} tile
 */
export function addressOf(template, { z, x, y }) {
    return template.replace("{z}", String(z)).replace("{x}", String(x)).replace("{y}", String(y));
}
