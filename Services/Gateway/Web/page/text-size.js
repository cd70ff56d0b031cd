import { usual } from "../drawing/labels.js";

/** How large small labels are, in CSS pixels: the person may have chosen larger text. */
export function textSize() {
    return parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 * usual || usual;
}
