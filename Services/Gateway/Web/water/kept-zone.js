/** Pages of the service that a zone is kept with, for times without a connection: a month's change of each value, and how its probes' values went. */

import { bboxOf, changeQuery, distances, momentsAt, reachOf, seriesQuery } from "./change.js";

/** @typedef {import("./change.js").Place} Place */

const changes = "/map/change";

/**
 * The part of the world that an outline takes.
 * @param {readonly Place[]} outline
 * @returns {import("./change.js").Bounds}
 */
export function boundsAround(outline) {
    const [latitudes, longitudes] = [outline.map(({ latitude }) => latitude), outline.map(({ longitude }) => longitude)];
    return { west: Math.min(...longitudes), south: Math.min(...latitudes), east: Math.max(...longitudes), north: Math.max(...latitudes) };
}

/**
 * @param {string} path
 * @param {Record<string, string>} query
 */
export const pathWith = (path, query) => `${path}?${new URLSearchParams(query)}`;

/**
 * @param {string} device
 * @param {string} parameter
 */
export const seriesPath = (device, parameter) => `/devices/${encodeURIComponent(device)}/parameters/${parameter}/series`;

/**
 * The pages, the most useful first: those of the value that is looked at before others.
 * @param {readonly Place[]} outline
 * @param {object} wish
 * @param {readonly {name: string, unit: string | null}[]} wish.parameters The one that is looked at first.
 * @param {readonly {device: string, names: readonly string[]}[]} wish.probes In the zone, with what they measure.
 * @param {number} wish.now
 * @param {number} wish.most So many pages.
 */
export function pagesOf(outline, { parameters, probes, now, most }) {
    const moments = momentsAt(distances.month, now, reachOf(distances.month, now));
    const bounds = boundsAround(outline);
    return [
        ...parameters.map(({ name, unit }) => pathWith(changes, changeQuery(name, unit, moments, bounds))),
        ...parameters.flatMap(({ name }) =>
            probes.filter(({ names }) => names.includes(name)).map(({ device }) => pathWith(seriesPath(device, name), seriesQuery(moments)))
        ),
    ].slice(0, most);
}

const hour = 3_600_000;

/**
 * A page with its moments as much later as a time is than another, by whole hours, as all of its moments are.
 * @param {string} page
 * @param {number} then
 * @param {number} now
 */
export function laterPage(page, then, now) {
    const { pathname, searchParams } = new URL(page, "https://api.invalid");
    const by = (Math.floor(now / hour) - Math.floor(then / hour)) * hour;
    const moved = [...searchParams].map(([name, value]) => [name, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? new Date(Date.parse(value) + by).toISOString() : value]);
    return pathWith(pathname, Object.fromEntries(moved));
}

/**
 * Whether a page tells what changed of a value, and of which zone where one is given.
 * @param {string} page
 * @param {string} parameter
 * @param {readonly Place[] | null} outline
 */
export function isChangeOf(page, parameter, outline) {
    const { pathname, searchParams } = new URL(page, "https://api.invalid");
    return pathname === changes && searchParams.get("parameter") === parameter && (outline === null || searchParams.get("bbox") === bboxOf(boundsAround(outline)));
}
