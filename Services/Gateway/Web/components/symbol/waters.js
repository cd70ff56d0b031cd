/** The icons of what lives in a tank, and of where it stands in winter, on a grid of 24: only the questions about a tank need them. */

import { drawn } from "./doings.js";
import { createSymbol } from "./symbol.js";

/** @type {Record<string, string[]>} */
const strokes = {
    fish: ["M3.500 12c3-4.500 8.500-5.500 13-2l4-2.500v9l-4-2.500c-4.500 3.500-10 2.500-13-2z", "M8 11h.01"],
    shell: ["M12 19.500 4.500 11a7.500 6.500 0 0 1 15 0z", "M12 19.500V4.500M12 19.500 8 5.500M12 19.500l4-14"],
    layers: ["M12 4.500 20 9l-8 4.500L4 9z", "M4 14l8 4.500 8-4.500"],
    waves: ["M3.500 9.500c2.100 0 2.100-1.500 4.250-1.500s2.100 1.500 4.250 1.500 2.100-1.500 4.250-1.500 2.100 1.500 4.250 1.500", "M3.500 15.500c2.100 0 2.100-1.500 4.250-1.500s2.100 1.500 4.250 1.500 2.100-1.500 4.250-1.500 2.100 1.500 4.250 1.500"],
    ice: ["M12 4v16M5.100 8l13.800 8M18.900 8 5.100 16"],
    sun: ["M12 8.500a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7z", "M12 3v2M12 19v2M3 12h2M19 12h2M5.600 5.600 7 7M17 17l1.400 1.400M18.400 5.600 17 7M7 17l-1.400 1.400"],
    house: ["M4.500 11 12 4.500 19.500 11", "M6.500 9.500V19h11V9.500"],
};

/** @type {Record<string, string>} */
const names = {
    pond: "fish",
    tropical: "devices",
    sea: "shell",
    farm: "layers",
    pool: "waves",
    none: "pin",
    underIce: "ice",
    neverFreezes: "sun",
    broughtInside: "house",
};

/** @param {string} answer The group of what is kept, or what becomes of it in winter. */
export function createWater(answer) {
    const name = names[answer];
    return strokes[name] ? drawn(name, strokes[name]) : createSymbol(name);
}
