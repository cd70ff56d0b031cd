/**
 * Many points on one canvas. Their places in the square are known, and of those that would lie on each other the foremost alone is drawn: a move of the map costs
 * as many copies of a mark as the window has room for, however many points there are.
 */

import { pointOf } from "../../drawing/mercator.js";
import { h } from "../../page/dom.js";
import { drawSprites, side, spriteOf } from "./sprites.js";

/** @typedef {import("../../drawing/mercator.js").View} View */
/** @typedef {import("../../drawing/mercator.js").Size} Size */

/** No screen shows more device pixels of a mark. */
const mostRatio = 2;
/** One point is drawn in a cell of so many pixels. */
const cell = 8;

export function createMany() {
    const element = h("canvas", { class: "change-many", "aria-hidden": "true" });
    const pen = element.getContext("2d");
    let xs = new Float64Array(0);
    let ys = new Float64Array(0);
    let kinds = new Uint8Array(0);
    /** Places on the canvas, of the last drawing. */
    let shown = new Float32Array(0);
    /** The cells of the window in which something is drawn. */
    let taken = new Uint8Array(0);
    let key = "";
    /** @type {HTMLCanvasElement | null} */
    let sprites = null;

    return {
        element,
        /** @param {readonly import("./change-map.js").Mark[]} marks Those in front first. */
        show(marks) {
            xs = new Float64Array(marks.length);
            ys = new Float64Array(marks.length);
            kinds = new Uint8Array(marks.length);
            shown = new Float32Array(marks.length * 2);
            marks.forEach(({ point, isOutside }, index) => {
                const { x, y } = pointOf(point);
                xs[index] = x;
                ys[index] = y;
                kinds[index] = spriteOf(point.class, point.byHand || point.site, isOutside);
            });
        },

        /**
         * @param {View} view
         * @param {Size} size
         */
        draw(view, { width, height }) {
            if (!pen) return;
            const ratio = Math.min(mostRatio, globalThis.devicePixelRatio || 1);
            const next = `${ratio} ${matchMedia("(prefers-color-scheme: dark)").matches} ${document.documentElement.dataset.scheme}`;
            if (next !== key || !sprites) [key, sprites] = [next, drawSprites(ratio, getComputedStyle(element))];
            const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
            if (element.width !== across || element.height !== down) [element.width, element.height] = [across, down];
            else pen.clearRect(0, 0, across, down);
            pen.globalCompositeOperation = "destination-over"; // those in front come first
            const world = 256 * 2 ** view.zoom;
            const edge = Math.ceil(side * ratio);
            const columns = Math.ceil(width / cell) + 4;
            const rows = Math.ceil(height / cell) + 4;
            if (taken.length !== columns * rows) taken = new Uint8Array(columns * rows);
            else taken.fill(0);
            for (let index = 0; index < xs.length; index += 1) {
                let east = xs[index] - view.x;
                east -= Math.round(east); // the nearer side of the earth
                const x = width / 2 + east * world;
                const y = height / 2 + (ys[index] - view.y) * world;
                shown[2 * index] = x;
                shown[2 * index + 1] = y;
                if (x < -side || y < -side || x >= width + side || y >= height + side) continue;
                const place = (Math.floor(y / cell) + 2) * columns + Math.floor(x / cell) + 2;
                if (taken[place] === 1) continue;
                taken[place] = 1;
                pen.drawImage(sprites, kinds[index] * edge, 0, edge, edge, Math.round(x * ratio - edge / 2), Math.round(y * ratio - edge / 2), edge, edge);
            }
        },

        /**
         * The points that a press may mean, nearest first.
         * @param {{x: number, y: number}} at
         * @param {number} within
         * @returns {number[]} Their indexes.
         */
        near(at, within) {
            /** @type {{index: number, distance: number}[]} */
            const found = [];
            for (let index = 0; index < xs.length; index += 1) {
                const distance = Math.hypot(shown[2 * index] - at.x, shown[2 * index + 1] - at.y);
                if (distance <= within) found.push({ index, distance });
            }
            return found.sort((one, other) => one.distance - other.distance).map(({ index }) => index);
        },
    };
}
