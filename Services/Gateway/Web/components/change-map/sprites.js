/** Marks of many points, drawn once each and then copied: by class, by hand or probe, outside the limits or not. */

import { classNames } from "../../water/change.js";

/** The side of a mark, in CSS pixels. */
export const side = 16;
const names = [...classNames, "none"];
/** For each class: of a probe or by hand, within or outside the limits. */
const kinds = 4;

/**
 * The place of a mark among all.
 * @param {number | null} rank The class.
 * @param {boolean} isSquare
 * @param {boolean} isOutside
 */
export const spriteOf = (rank, isSquare, isOutside) => (rank === null ? names.length - 1 : rank + 3) * kinds + (isSquare ? 2 : 0) + (isOutside ? 1 : 0);

/**
 * All marks side by side, as a picture: copied from a canvas each would cost a look whether that has changed.
 * @param {number} ratio Device pixels in a CSS pixel.
 * @param {CSSStyleDeclaration} style With the colours of the classes.
 * @returns {ImageBitmap | null} null: this browser draws nothing.
 */
export function drawSprites(ratio, style) {
    const sheet = new OffscreenCanvas(Math.ceil(side * ratio) * names.length * kinds, Math.ceil(side * ratio));
    const pen = sheet.getContext("2d");
    if (!pen) return null;
    /** @param {string} name */
    const colour = (name) => style.getPropertyValue(name).trim();
    names.forEach((name, rank) => {
        for (let kind = 0; kind < kinds; kind += 1) {
            pen.setTransform(ratio, 0, 0, ratio, Math.ceil(side * ratio) * (rank * kinds + kind) + side * ratio / 2, side * ratio / 2);
            drawMark(pen, name === "none" ? 0 : rank - 3, kind >= 2);
            pen.fillStyle = colour(`--change-${name}`);
            pen.fill();
            pen.setLineDash(name === "none" ? [2, 2] : []);
            pen.lineWidth = kind % 2 === 1 ? 2 : 1.25;
            pen.strokeStyle = kind % 2 === 1 ? colour("--alarm") : colour("--edge");
            pen.stroke();
        }
    });
    return sheet.transferToImageBitmap();
}

/**
 * A rise points upward and a fall downward; what stayed is a disc, or a square by hand.
 * @param {OffscreenCanvasRenderingContext2D} pen
 * @param {number} rank
 * @param {boolean} isSquare
 */
function drawMark(pen, rank, isSquare) {
    pen.beginPath();
    if (rank !== 0) {
        const up = rank > 0 ? 1 : -1;
        pen.moveTo(0, -6 * up);
        pen.lineTo(6, 5 * up);
        pen.lineTo(-6, 5 * up);
        pen.closePath();
    } else if (isSquare) pen.rect(-4, -4, 8, 8);
    else pen.arc(0, 0, 4.5, 0, 2 * Math.PI);
}
