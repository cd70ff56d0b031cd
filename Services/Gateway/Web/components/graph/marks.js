/**
 * The marks that several layers of a graph are made of.
 */

import { svg } from "../../app/dom.js";
import { rounded } from "../../app/drawing.js";

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {Record<string, unknown>} [more]
 */
export function rect(x, y, width, height, more = {}) {
    return svg("rect", { x: rounded(x), y: rounded(y), width: rounded(Math.max(0, width)), height: rounded(Math.max(0, height)), ...more });
}

/**
 * @param {string} className
 * @param {number} x
 * @param {number} y
 * @param {string} text
 * @param {'start' | 'middle' | 'end'} anchor
 */
export function label(className, x, y, text, anchor) {
    return svg("text", { class: className, x: rounded(x), y: rounded(y), "text-anchor": anchor }, text);
}
