/**
 * Areas of a map that are kept: all tiles of a part of the world, from one zoom level to another, in a fixed order, so that a number says how
 * far somebody has come.
 */

import { placeOf, pointOf, tileSize } from "./mercator.js";

/** @typedef {import("./mercator.js").View} View */
/** @typedef {import("./mercator.js").Size} Size */

/** A part of the world in degrees; west of `west` lies `east` where it goes across the date line. @typedef {{west: number, south: number, east: number, north: number}} Bounds */

/** @typedef {{bounds: Bounds, least: number, most: number}} Area Levels from `least` to `most`. */

/** @typedef {Bounds & {leastZoom: number, mostZoom: number, tileBytes: number}} Extent What a map has; `tileBytes` 0: unknown. */

/** @typedef {{most: number, count: number, bytes: number}} Depth How near an area goes, with how many tiles, of about how many bytes. */

/** What a tile takes where nobody knows. */
const usualBytes = 20_000;
/** How much nearer the second choice of depth goes. */
const step = 2;

/**
 * What a window shows.
 * @param {View} view
 * @param {Size} size
 * @returns {Bounds}
 */
export function boundsOf(view, { width, height }) {
    const world = tileSize * 2 ** view.zoom;
    const [across, down] = [width / world / 2, height / world / 2];
    const northWest = placeOf({ x: view.x - across, y: Math.max(0, view.y - down) });
    const southEast = placeOf({ x: view.x + across, y: Math.min(1, view.y + down) });
    const isAll = across >= 0.5;
    return {
        west: isAll ? -180 : northWest.longitude,
        south: southEast.latitude,
        east: isAll ? 180 : southEast.longitude,
        north: northWest.latitude,
    };
}

/**
 * As much of a part of the world as a map has; null: nothing.
 * @param {Bounds} bounds
 * @param {Bounds} extent
 * @returns {Bounds | null}
 */
export function within({ west, south, east, north }, extent) {
    const cut = { south: Math.max(south, extent.south), north: Math.min(north, extent.north) };
    // Across the date line there may be two parts: their tiles are few enough to be asked for.
    const across = west > east ? { west, east } : { west: Math.max(west, extent.west), east: Math.min(east, extent.east) };
    if (cut.south >= cut.north || (west <= east && across.west >= across.east)) return null;
    return { ...across, ...cut };
}

/**
 * The columns and rows of each level.
 * @param {Area} area
 */
function spansOf({ bounds, least, most }) {
    const from = pointOf({ latitude: bounds.north, longitude: bounds.west });
    const to = pointOf({ latitude: bounds.south, longitude: bounds.east });
    const width = to.x > from.x ? to.x - from.x : to.x - from.x + 1;
    return Array.from({ length: Math.max(0, most - least + 1) }, (_, index) => {
        const z = least + index;
        const side = 2 ** z;
        const left = Math.floor(from.x * side);
        const top = Math.min(side - 1, Math.floor(from.y * side));
        const bottom = Math.min(side - 1, Math.floor(to.y * side));
        // An edge that lies between two columns belongs to the one inside.
        const right = Math.ceil((from.x + width) * side) - 1;
        return { z, side, left, top, columns: Math.min(side, Math.max(1, right - left + 1)), rows: bottom - top + 1 };
    });
}

/** @param {Area} area */
export function countOf(area) {
    return spansOf(area).reduce((sum, { columns, rows }) => sum + columns * rows, 0);
}

/**
 * The tile of a number, the widest levels first.
 * @param {Area} area
 * @param {number} number From 0.
 * @returns {{z: number, x: number, y: number} | null} null behind the last.
 */
export function tileAt(area, number) {
    let rest = number;
    for (const { z, side, left, top, columns, rows } of spansOf(area)) {
        if (rest < columns * rows) return { z, x: (left + rest % columns) % side, y: top + Math.floor(rest / columns) };
        rest -= columns * rows;
    }
    return null;
}

/**
 * How near an area may go: as near as it is shown, a little nearer, and as near as the map goes, each once.
 * @param {Bounds} bounds
 * @param {number} zoom
 * @param {Extent} extent
 * @returns {Depth[]}
 */
export function depthsOf(bounds, zoom, extent) {
    const { leastZoom, mostZoom, tileBytes } = extent;
    const shown = Math.min(mostZoom, Math.max(leastZoom, Math.round(zoom)));
    return [...new Set([shown, Math.min(mostZoom, shown + step), mostZoom])].map((most) => {
        const count = countOf({ bounds, least: leastZoom, most });
        return { most, count, bytes: count * (tileBytes || usualBytes) };
    });
}
