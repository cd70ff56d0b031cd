/** Marks on a plane: those that would lie on each other stand together, and names stand below them where there is room. Lengths are CSS pixels. */

import { usual, widthOf } from "./labels.js";

/** @typedef {{x: number, y: number}} Point */

/** So near, in both directions, marks are one. */
export const least = Object.freeze({ x: 58, y: 34 });
/** How high a mark is, and a name below it. */
const heights = Object.freeze({ mark: 28, name: 20 });
/** No name is wider. */
const widest = 128;

/**
 * Marks that stand together. The first of a crowd keeps its place, and no two crowds are nearer than `least`.
 * @template {Point} T
 * @param {readonly T[]} marks Those in front first.
 * @returns {T[][]} In the order of their first marks.
 */
export function crowdsOf(marks) {
    /** @type {T[][]} */
    const crowds = [];
    /** @type {Map<string, T[][]>} */
    const cells = new Map();
    for (const mark of marks) {
        const [column, row] = [Math.floor(mark.x / least.x), Math.floor(mark.y / least.y)];
        const near = nearestOf(mark, around(cells, column, row));
        if (near) {
            near.push(mark);
            continue;
        }
        const crowd = [mark];
        crowds.push(crowd);
        const key = `${column} ${row}`;
        cells.set(key, [...cells.get(key) ?? [], crowd]);
    }
    return crowds;
}

/**
 * @template {Point} T
 * @param {ReadonlyMap<string, T[][]>} cells
 * @param {number} column
 * @param {number} row
 */
const around = (cells, column, row) =>
    [-1, 0, 1].flatMap((right) => [-1, 0, 1].flatMap((down) => cells.get(`${column + right} ${row + down}`) ?? []));

/**
 * The crowd whose first mark is nearest, of those that are near at all.
 * @template {Point} T
 * @param {Point} mark
 * @param {readonly T[][]} crowds
 */
function nearestOf(mark, crowds) {
    /** @type {T[] | null} */
    let best = null;
    let distance = 1;
    for (const crowd of crowds) {
        const next = Math.max(Math.abs(crowd[0].x - mark.x) / least.x, Math.abs(crowd[0].y - mark.y) / least.y);
        if (next < distance) [best, distance] = [crowd, next];
    }
    return best;
}

/**
 * @typedef {{left: number, right: number, top: number, bottom: number}} Box
 */

/**
 * For each mark whether its name stands below it: it lies on no other mark and on no name of one in front, and ends within the window.
 * @param {readonly (Point & {text: string, name: string})[]} marks Those in front first.
 * @param {{width: number, height: number}} size Of the window.
 * @returns {boolean[]}
 */
export function namesShown(marks, size) {
    const taken = marks.map(({ x, y, text }) => boxOf(x, y, Math.max(least.x - 14, widthOf(text, usual) + 24), heights.mark));
    return marks.map(({ x, y, name }, index) => {
        if (name === "") return false;
        const box = boxOf(x, y + (heights.mark + heights.name) / 2, Math.min(widest, widthOf(name, usual)), heights.name);
        if (box.left < 0 || box.right > size.width || box.bottom > size.height) return false;
        if (taken.some((other, place) => place !== index && meets(box, other))) return false;
        taken.push(box);
        return true;
    });
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @returns {Box}
 */
const boxOf = (x, y, width, height) => ({ left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 });

/**
 * @param {Box} one
 * @param {Box} other
 */
const meets = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
