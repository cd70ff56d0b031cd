/**
 * Many points on one canvas. Their places in the square are known, and of those that would lie on each other the foremost alone is drawn: a drawing costs as many
 * copies of a mark as the window has room for, however many points there are. The canvas reaches over the window's edges, so that the map moves it while it is
 * dragged.
 */

import { pointOf } from "../../drawing/mercator.js";
import { createScatter } from "../../drawing/scatter.js";
import { h } from "../../page/dom.js";
import { beyond } from "../map/map.js";
import { drawSprites, side, spriteOf } from "./sprites.js";

/** @typedef {import("../../drawing/mercator.js").View} View */
/** @typedef {import("../../drawing/mercator.js").Size} Size */

/** No screen shows more device pixels of a mark. */
const mostRatio = 2;

export function createMany() {
    const element = h("canvas", { class: "change-many", "aria-hidden": "true" });
    element.style.inset = `${-beyond}px`;
    const pen = element.getContext("2d");
    let scatter = createScatter([]);
    let kinds = new Uint8Array(0);
    /** The last drawing. @type {{view: View, size: Size} | null} */
    let last = null;
    let key = "";
    /** @type {ImageBitmap | null} */
    let sprites = null;

    return {
        element,
        /** @param {readonly import("./change-map.js").Mark[]} marks Those in front first. */
        show(marks) {
            scatter = createScatter(marks.map(({ point }) => pointOf(point)));
            kinds = Uint8Array.from(marks, ({ point, isOutside }) => spriteOf(point.class, point.byHand || point.site, isOutside));
        },

        /**
         * @param {View} view
         * @param {Size} size
         */
        draw(view, size) {
            last = { view, size };
            const ratio = Math.min(mostRatio, globalThis.devicePixelRatio || 1);
            const next = `${ratio} ${matchMedia("(prefers-color-scheme: dark)").matches} ${document.documentElement.dataset.scheme}`;
            if (next !== key || !sprites) [key, sprites] = [next, drawSprites(ratio, getComputedStyle(element))];
            const [width, height] = [size.width + 2 * beyond, size.height + 2 * beyond];
            const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
            if (element.width !== across || element.height !== down) {
                [element.width, element.height] = [across, down];
                [element.style.width, element.style.height] = [`${width}px`, `${height}px`];
            } else pen?.clearRect(0, 0, across, down);
            if (!pen || !sprites) return;
            pen.globalCompositeOperation = "destination-over"; // those in front come first
            const edge = Math.ceil(side * ratio);
            const sheet = sprites;
            scatter.draw(view, size, beyond, (index, x, y) => {
                const [left, top] = [Math.round((x + beyond) * ratio - edge / 2), Math.round((y + beyond) * ratio - edge / 2)];
                pen.drawImage(sheet, kinds[index] * edge, 0, edge, edge, left, top, edge, edge);
            });
        },

        /**
         * The points that a press may mean, nearest first.
         * @param {{x: number, y: number}} at
         * @param {number} within
         * @returns {number[]} Their indexes.
         */
        near: (at, within) => last ? scatter.near(at, within, last.view, last.size) : [],
    };
}
