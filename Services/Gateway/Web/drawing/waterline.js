/**
 * The line between air and water: the last hours of a whole device. Flat where everything was inside its limits, a swell
 * where something was outside.
 */

import { rounded } from "./geometry.js";

/** @typedef {import("../water/series.js").Period} Period */
/** @typedef {Period & {worst: number, isOpen?: boolean}} Departure Worst: as a share of the span of the limits. */
/** @typedef {Period & {height: number, isOpen: boolean}} Swell Height: 0.35 to 1. An open one has not come back. */

/**
 * Departures of all parameters as swells: those that touch are one, as high as the worst of them. The height is the worst
 * departure over half the span.
 * @param {readonly Departure[]} departures
 * @param {Period} period
 * @param {number} [near] Swells that are nearer than this are one.
 * @returns {Swell[]}
 */
export function swellsOf(departures, period, near = 0) {
    const sorted = departures
        .filter((departure) => departure.to >= period.from && departure.from <= period.to)
        .map((departure) => ({
            from: Math.max(period.from, departure.from),
            to: Math.min(period.to, departure.to),
            height: Math.min(1, Math.max(0.35, departure.worst / 0.5)),
            isOpen: departure.isOpen ?? false,
        }))
        .sort((one, other) => one.from - other.from);
    /** @type {Swell[]} */
    const swells = [];
    for (const swell of sorted) {
        const last = swells.at(-1);
        if (last && swell.from - last.to <= near) {
            last.to = Math.max(last.to, swell.to);
            last.height = Math.max(last.height, swell.height);
            last.isOpen ||= swell.isOpen;
        } else swells.push({ ...swell });
    }
    return swells;
}

/**
 * When none of several parameters was heard.
 * @param {readonly (readonly Period[])[]} gaps Of each parameter, sorted.
 * @returns {Period[]}
 */
export function commonGaps(gaps) {
    if (gaps.length === 0) return [];
    return gaps.reduce(
        /** @returns {Period[]} */ (common, own) =>
            common.flatMap((one) =>
                own.map((other) => ({ from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) }))
                    .filter(({ from, to }) => to > from)
            ),
        [...gaps[0]],
    ).map(({ from, to }) => ({ from, to }));
}

/**
 * @typedef {object} Place Where a line is drawn.
 * @property {(time: number) => number} x
 * @property {number} width
 * @property {number} base The y of the flat line.
 * @property {number} rise How high a whole swell is.
 * @property {number} ramp How wide its sides are at most.
 * @property {number} [lead] So far from the right edge an open swell is up: the bead of the present stands on it.
 */

/**
 * The sides of swells: where each begins to rise, and where it is back, which an open one is not.
 * @param {readonly Swell[]} swells
 * @param {Place} place
 * @returns {{up: number, down: number | null, side: number, top: number}[]}
 */
function sidesOf(swells, { x, width, base, rise, ramp, lead = 0 }) {
    const sides = [];
    let reached = 0;
    for (const swell of swells) {
        const [start, end] = [Math.max(reached, x(swell.from)), Math.min(width, x(swell.to))];
        const top = rounded(base - swell.height * rise);
        if (swell.isOpen) {
            const up = Math.max(reached, Math.min(start, width - lead - ramp));
            sides.push({ up, down: null, side: ramp, top });
            break;
        }
        // A short swell is a bump: its sides meet above its middle.
        const side = Math.min(ramp, Math.max((end - start) / 2 + 4, 8));
        const up = Math.max(reached, start - 4);
        const down = Math.max(up + side, end + 4 - side);
        sides.push({ up, down, side, top });
        reached = down + side;
        if (reached >= width) break;
    }
    return sides;
}

/**
 * The line's path, from the left edge to the right one.
 * @param {readonly Swell[]} swells
 * @param {Place} place
 */
export function waterlinePath(swells, place) {
    const { width, base } = place;
    let path = `M0 ${base}`;
    let reached = 0;
    for (const { up, down, side, top } of sidesOf(swells, place)) {
        path += `L${rounded(up)} ${base}` + ease(up, base, up + side, top);
        if (down === null) return `${path}L${rounded(Math.max(width, up + side))} ${top}`;
        path += `L${rounded(down)} ${top}` + ease(down, top, down + side, base);
        reached = down + side;
    }
    return reached < width ? `${path}L${rounded(width)} ${base}` : path;
}

/**
 * The line's y at a place from the left edge.
 * @param {readonly Swell[]} swells
 * @param {Place} place
 * @param {number} x
 */
export function waterlineAt(swells, place, x) {
    const { base } = place;
    for (const { up, down, side, top } of sidesOf(swells, place)) {
        if (x < up) return base;
        if (x < up + side) return base + (top - base) * eased((x - up) / side);
        if (down === null || x < down) return top;
        if (x < down + side) return top + (base - top) * eased((x - down) / side);
    }
    return base;
}

/**
 * How far a ramp has come at a share of its width: the height of the curve that `ease` draws.
 * @param {number} share
 */
function eased(share) {
    let [low, high] = [0, 1];
    for (let turn = 0; turn < 20; turn += 1) {
        const t = (low + high) / 2;
        if (1.5 * t - 1.5 * t * t + t ** 3 < share) low = t;
        else high = t;
    }
    const t = (low + high) / 2;
    return 3 * t * t - 2 * t ** 3;
}

/**
 * A ramp that begins and ends flat.
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 */
function ease(x1, y1, x2, y2) {
    const middle = rounded((x1 + x2) / 2);
    return `C${middle} ${y1} ${middle} ${y2} ${rounded(x2)} ${y2}`;
}
