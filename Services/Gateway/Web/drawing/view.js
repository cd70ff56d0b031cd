/**
 * The part of a period that a graph shows, as a person zooms and moves it.
 */

/** @typedef {import("../water/series.js").Period} Period */

/** Nobody looks closer than this. */
export const closest = 15 * 60_000;

/**
 * A view that is `factor` times as long, with `anchor` at its place; never longer than the whole, never beyond it.
 * @param {Period} view
 * @param {Period} whole
 * @param {number} factor Below 1 is closer.
 * @param {number} anchor
 * @returns {Period}
 */
export function zoomed(view, whole, factor, anchor) {
    const length = view.to - view.from;
    const next = Math.min(whole.to - whole.from, Math.max(Math.min(closest, length), length * factor));
    const share = Math.min(1, Math.max(0, (anchor - view.from) / length));
    return within({ from: anchor - share * next, to: anchor + (1 - share) * next }, whole);
}

/**
 * A view moved by a time, within the whole.
 * @param {Period} view
 * @param {Period} whole
 * @param {number} by
 * @returns {Period}
 */
export function panned(view, whole, by) {
    return within({ from: view.from + by, to: view.to + by }, whole);
}

/**
 * @param {Period} view
 * @param {Period} whole
 * @returns {Period}
 */
function within(view, whole) {
    const length = Math.min(view.to - view.from, whole.to - whole.from);
    const from = Math.min(whole.to - length, Math.max(whole.from, view.from));
    return { from, to: from + length };
}

/**
 * Whether a view is the whole.
 * @param {Period} view
 * @param {Period} whole
 */
export function isWhole(view, whole) {
    return view.to - view.from >= (whole.to - whole.from) * 0.999;
}
