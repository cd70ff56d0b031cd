/**
 * The line between air and water: the last hours of a whole device. Flat where everything was inside its limits, a swell
 * where something was outside.
 */

import { rounded } from "./drawing.js";

/** @typedef {import("./series.js").Period} Period */
/** @typedef {Period & {worst: number, parameter?: string}} Departure Worst: as a share of the span of the limits. */
/** @typedef {Period & {height: number}} Swell Height: 0.35 to 1. */

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
        }))
        .sort((one, other) => one.from - other.from);
    /** @type {Swell[]} */
    const swells = [];
    for (const swell of sorted) {
        const last = swells.at(-1);
        if (last && swell.from - last.to <= near) {
            last.to = Math.max(last.to, swell.to);
            last.height = Math.max(last.height, swell.height);
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
 * The line's path, from the left edge to the right one.
 * @param {readonly Swell[]} swells
 * @param {object} place
 * @param {(time: number) => number} place.x
 * @param {number} place.width
 * @param {number} place.base The y of the flat line.
 * @param {number} place.rise How high a whole swell is.
 * @param {number} place.ramp How wide its sides are at most.
 */
export function waterlinePath(swells, { x, width, base, rise, ramp }) {
    let path = `M0 ${base}`;
    let reached = 0;
    for (const swell of swells) {
        const [start, end] = [Math.max(reached, x(swell.from)), Math.min(width, x(swell.to))];
        const top = rounded(base - swell.height * rise);
        const isOpen = end >= width - 0.5;
        // A short swell is a bump: its sides meet above its middle.
        const side = isOpen ? Math.min(ramp, Math.max(width - start, 8)) : Math.min(ramp, Math.max((end - start) / 2 + 4, 8));
        const up = Math.max(reached, isOpen ? Math.min(start, width - side) : start - 4);
        path += `L${rounded(up)} ${base}` + ease(up, base, up + side, top);
        if (isOpen) {
            path += `L${rounded(width)} ${top}`;
            return path;
        }
        const down = Math.max(up + side, end + 4 - side);
        path += `L${rounded(down)} ${top}` + ease(down, top, down + side, base);
        reached = down + side;
    }
    return reached < width ? `${path}L${rounded(width)} ${base}` : path;
}

/**
 * How high above its base the line is at a time, as a share of the whole swell.
 * @param {readonly Swell[]} swells
 * @param {number} time
 */
export function heightAt(swells, time) {
    return swells.find((swell) => swell.from <= time && time <= swell.to)?.height ?? 0;
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
