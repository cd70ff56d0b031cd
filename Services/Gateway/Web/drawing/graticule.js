/** A map without pictures: lines of round degrees, and a scale. */

import { placeOf, positionOf } from "./mercator.js";

/** @typedef {import("./mercator.js").View} View */
/** @typedef {import("./mercator.js").Size} Size */
/** @typedef {{at: number, degrees: number}} Line Where it is in the window, in pixels, and which it is. */

/** Lines are no nearer than so many pixels. */
const least = 96;
/** The earth's circumference at the equator (WGS 84), in metres. */
const circumference = 40_075_016.686;

/**
 * The meridians and parallels in a window.
 * @param {View} view
 * @param {Size} size
 * @returns {{meridians: Line[], parallels: Line[], step: number}} step: degrees from one to the next.
 */
export function graticuleOf(view, size) {
    const world = 256 * 2 ** view.zoom;
    const step = roundUp(least / world * 360);
    const west = placeOf({ x: view.x - size.width / 2 / world, y: view.y }).longitude;
    const count = Math.floor(Math.min(360, size.width / world * 360) / step);
    const first = Math.ceil(west / step);
    const meridians = Array.from({ length: count + 1 }, (_, index) => {
        const degrees = tidy((first + index) * step);
        return { at: (degrees - west) / 360 * world, degrees: degrees > 180 ? tidy(degrees - 360) : degrees };
    }).filter(({ at }) => at >= 0 && at <= size.width);
    const [north, south] = [view.y - size.height / 2 / world, view.y + size.height / 2 / world]
        .map((y) => placeOf({ x: 0, y: Math.min(1, Math.max(0, y)) }).latitude);
    const parallels = [];
    for (let turn = Math.ceil(south / step); turn * step <= north && parallels.length < 64; turn += 1) {
        const degrees = tidy(turn * step);
        parallels.push({ at: positionOf({ latitude: degrees, longitude: 0 }, view, size).y, degrees });
    }
    return { meridians, parallels, step };
}

/**
 * The metres of a pixel in the middle of a view.
 * @param {View} view
 */
export function metresOfPixel({ x, y, zoom }) {
    const { latitude } = placeOf({ x, y });
    return circumference * Math.cos(latitude * Math.PI / 180) / (256 * 2 ** zoom);
}

/**
 * A round length of at most a quarter of what is seen.
 * @param {number} metresAcross
 */
export function scaleOf(metresAcross) {
    const wished = metresAcross / 4;
    const power = 10 ** Math.floor(Math.log10(wished));
    const step = [5, 2, 1].find((factor) => factor * power <= wished) ?? 1;
    return step * power;
}

/**
 * The smallest round number of degrees that is as large: 1, 2 or 5 with zeros, 15, 30 or 45.
 * @param {number} degrees
 */
function roundUp(degrees) {
    if (degrees > 10) return [15, 30, 45].find((step) => step >= degrees) ?? 90;
    const power = 10 ** Math.floor(Math.log10(degrees));
    return tidy(([1, 2, 5, 10].find((factor) => factor * power >= degrees) ?? 10) * power);
}

/**
 * Without the digits that come of binary fractions.
 * @param {number} degrees
 */
const tidy = (degrees) => Number(degrees.toFixed(9));
