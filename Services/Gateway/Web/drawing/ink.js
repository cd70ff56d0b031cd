/**
 * The ink of a parameter: of the colour that a person chose only the hue counts, so that no choice looks like an alarm.
 */

/** @typedef {{hue: number, strength: number}} Ink A hue in degrees of OKLCH, and the share of the usual chroma. */

/** The hue of alarms. Hues near it step aside. */
const alarmHue = 31;
const nearness = 20;
const refuge = 18;
const grey = { hue: 220, strength: 0.12 };

/** The colours of a newly linked device, and the names that a person may have set. @type {Record<string, Ink>} */
const known = {
    red: { hue: 18, strength: 0.8 },
    blue: { hue: 255, strength: 1 },
    green: { hue: 150, strength: 1 },
    purple: { hue: 305, strength: 1 },
    yellow: { hue: 95, strength: 1 },
    "#7c3f00": { hue: 60, strength: 1 },
    "#f7138e": { hue: 355, strength: 1 },
    "#6bcae2": { hue: 220, strength: 1 },
    gray: grey,
    grey,
    orange: { hue: 60, strength: 1 },
    pink: { hue: 355, strength: 1 },
    teal: { hue: 195, strength: 1 },
    cyan: { hue: 200, strength: 1 },
    black: grey,
    white: grey,
};

/**
 * @param {string} colour A CSS colour as the server keeps it: #rrggbb, or a name.
 * @returns {Ink}
 */
export function inkOf(colour) {
    const name = colour.trim().toLowerCase();
    const found = known[name];
    if (found) return found;
    const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(name);
    if (!match) return grey;
    const [red, green, blue] = match.slice(1).map((pair) => Number.parseInt(pair, 16) / 255);
    const { hue, chroma } = oklch(red, green, blue);
    return chroma < 0.03 ? grey : inkOfHue(hue);
}

/**
 * @param {number} hue In degrees of OKLCH.
 * @returns {Ink}
 */
export function inkOfHue(hue) {
    const turned = ((hue % 360) + 360) % 360;
    const distance = Math.abs(((turned - alarmHue + 540) % 360) - 180);
    return distance <= nearness ? { hue: refuge, strength: 0.8 } : { hue: Math.round(turned), strength: 1 };
}

/**
 * Sets the ink of a part of the page; its style needs the class `inked`.
 * @param {HTMLElement | SVGElement} element
 * @param {string} colour
 */
export function setInk(element, colour) {
    const { hue, strength } = inkOf(colour);
    element.classList.add("inked");
    element.style.setProperty("--hue", String(hue));
    element.style.setProperty("--hue-strength", String(strength));
}

/**
 * sRGB to OKLCH (Ottosson, "A perceptual color space for image processing").
 * @param {number} red
 * @param {number} green
 * @param {number} blue
 */
export function oklch(red, green, blue) {
    const [r, g, b] = [red, green, blue].map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
    const c = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
    return {
        lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
        chroma: Math.hypot(a, c),
        hue: (Math.atan2(c, a) * 180 / Math.PI + 360) % 360,
    };
}
