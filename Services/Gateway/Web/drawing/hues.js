/** The colour that the service keeps for a hue. */

import { inkOfHue } from "./ink.js";

/**
 * A colour that the service can keep, of a hue: `inkOf` finds the hue in it again.
 * @param {number} hue In degrees of OKLCH.
 * @returns {string}
 */
export function colourOfHue(hue) {
    const angle = inkOfHue(hue).hue * Math.PI / 180;
    const [lightness, a, b] = [0.6, 0.095 * Math.cos(angle), 0.095 * Math.sin(angle)];
    const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
    const linear = [
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
    ];
    return "#" + linear.map((value) => {
        const bounded = Math.min(1, Math.max(0, value));
        const coded = bounded <= 0.0031308 ? bounded * 12.92 : 1.055 * bounded ** (1 / 2.4) - 0.055;
        return Math.round(coded * 255).toString(16).padStart(2, "0");
    }).join("");
}
