/** A QR code: dark on light in either colour scheme, as cameras want it, with the quiet zone around it. */

import { qrOf } from "../../drawing/qr.js";
import { svg } from "../../page/dom.js";

const quiet = 4;

/**
 * @param {string} text
 * @param {string} label For readers.
 * @returns {SVGSVGElement | null} null where the text is too long for one.
 */
export function createQR(text, label) {
    const square = qrOf(text);
    if (!square) return null;
    const { size, isDark } = square;
    let d = "";
    for (let y = 0; y < size; y += 1) {
        for (let x = 0; x < size; x += 1) {
            if (!isDark(x, y)) continue;
            let end = x;
            while (isDark(end + 1, y)) end += 1;
            d += `M${x + quiet} ${y + quiet}h${end + 1 - x}v1h${x - end - 1}z`;
            x = end;
        }
    }
    const whole = size + 2 * quiet;
    return svg(
        "svg",
        { class: "qr", viewBox: `0 0 ${whole} ${whole}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
        svg("rect", { class: "qr-light", width: whole, height: whole }),
        svg("path", { class: "qr-dark", d }),
    );
}
