/**
 * The icons of what people do to the water, on a grid of 24: no first screen needs them.
 */

import { svg } from "../../page/dom.js";
import { createSymbol } from "./symbol.js";

/** @type {Record<string, string[]>} */
const strokes = {
    bucket: ["M5 8.500l1.700 10.200A1.500 1.500 0 0 0 8.200 20h7.600a1.500 1.500 0 0 0 1.500-1.300L19 8.500z", "M6 8.500a6 5 0 0 1 12 0"],
    bowl: ["M4 13.500h16a8 6.500 0 0 1-16 0z", "M9 20h6M9 9.500h.01M12 7h.01M15 9.500h.01M12 10.500h.01M9.500 5.500h.01M14.500 5.500h.01"],
    bottle: ["M10 3.500h4v3.700l3 3.300v8.500a1.500 1.500 0 0 1-1.500 1.500h-7A1.500 1.500 0 0 1 7 19v-8.500l3-3.300z", "M7 14h10"],
    testTube: ["M8 3.500h8M9.500 3.500V18a2.500 2.500 0 0 0 5 0V3.500", "M9.500 11h5"],
    brush: ["M12 3.500v7", "M8 14v-1.500a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2V14", "M7.500 14h9l.8 6.500H6.700zM10 20.500v-3M14 20.500v-3"],
    crossHair: ["M12 5.500a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13z", "M12 3v5M12 16v5M3 12h5M16 12h5"],
    arrows: ["M4.500 8.500h14M15 5l3.500 3.500L15 12", "M19.500 16h-14M9 12.500 5.500 16 9 19.500"],
    died: ["M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16z", "M8.500 12h7"],
    camera: ["M4 8.500A1.500 1.500 0 0 1 5.500 7H8l1.500-2.500h5L16 7h2.500A1.500 1.500 0 0 1 20 8.500v9a1.500 1.500 0 0 1-1.500 1.500h-13A1.500 1.500 0 0 1 4 17.500z", "M15.200 12.800a3.200 3.200 0 1 1-6.400 0 3.200 3.200 0 0 1 6.400 0z"],
};

/**
 * The icon of something that is done, or any other.
 * @param {string} name
 * @param {string} [className]
 */
export function createDoing(name, className = "") {
    const paths = strokes[name];
    return paths ? drawn(name, paths, className) : createSymbol(name, className);
}

/**
 * An icon of strokes of its own.
 * @param {string} name
 * @param {readonly string[]} paths
 * @param {string} [className]
 */
export function drawn(name, paths, className = "") {
    return svg(
        "svg",
        { class: `icon symbol-${name} ${className}`.trim(), viewBox: "0 0 24 24", "aria-hidden": "true" },
        ...paths.map((d) => svg("path", { d })),
    );
}
