/** A month of what is done, missed and to come: which days it shows, and what stands on each. A month is a text such as 2027-03. */

import { dateOf, dayAt, dayFrom, dayOf, partsOf, weekdayOf } from "./civil.js";
import { itemsOf } from "./care.js";

/** @typedef {import("./care.js").Care} Care */
/** @typedef {import("./care.js").Item} Item */
/** @typedef {'done' | 'skipped' | 'late' | 'due'} Mark */

/** The marks in the order in which they are explained. @type {readonly Mark[]} */
export const marks = Object.freeze(["done", "skipped", "late", "due"]);

/** @param {number} day */
export const monthOf = (day) => dateOf(day).slice(0, 7);

/**
 * @param {string} month
 * @param {number} count How many months later; earlier where it is negative.
 */
export function monthAfter(month, count) {
    const { year, month: number } = partsOf(dayOf(`${month}-01`));
    return monthOf(dayFrom(year, number + count, 1));
}

/**
 * The weeks of a month, whole ones.
 * @param {string} month
 * @param {number} firstDay The week's first day, from 1, Monday.
 * @returns {number[][]}
 */
export function weeksOf(month, firstDay) {
    const first = dayOf(`${month}-01`);
    const end = dayOf(`${monthAfter(month, 1)}-01`);
    const start = first - (weekdayOf(first) - firstDay + 7) % 7;
    const weeks = Math.ceil((end - start) / 7);
    return Array.from({ length: weeks }, (_, week) => Array.from({ length: 7 }, (_, place) => start + week * 7 + place));
}

/**
 * @param {Item} item
 * @returns {Mark}
 */
export function markOf({ occurrence: { state } }) {
    if (state === "done" || state === "skipped") return state;
    return state === "late" || state === "missed" ? "late" : "due";
}

/**
 * What stands on each day.
 * @param {Care} care
 * @param {number} now
 * @param {string} zone
 * @returns {Map<number, Item[]>}
 */
export function byDay(care, now, zone) {
    /** @type {Map<number, Item[]>} */
    const days = new Map();
    for (const item of itemsOf(care, now, zone)) {
        const day = dayAt(item.time, zone);
        days.set(day, [...days.get(day) ?? [], item]);
    }
    return days;
}

/**
 * How much of a month is done, missed and to come.
 * @param {ReadonlyMap<number, readonly Item[]>} days
 * @param {string} month
 * @returns {Record<'done' | 'late' | 'due', number>}
 */
export function countsOf(days, month) {
    const items = [...days].flatMap(([day, items]) => monthOf(day) === month ? items : []);
    /** @param {Mark} mark */
    const count = (mark) => items.filter((item) => markOf(item) === mark).length;
    return { done: count("done"), late: count("late"), due: count("due") };
}

/**
 * The day to which a key moves; null of a key that moves to none. Within a month, beyond its ends into the next.
 * @param {number} day
 * @param {string} key
 * @param {number} firstDay
 */
export function movedBy(day, key, firstDay) {
    const { year, month, date } = partsOf(day);
    const place = (weekdayOf(day) - firstDay + 7) % 7;
    /** @param {number} count The same day of another month, or its last. */
    const inMonth = (count) => dayFrom(year, month + count, Math.min(date, partsOf(dayFrom(year, month + count + 1, 0)).date));
    switch (key) {
        case "ArrowLeft":
            return day - 1;
        case "ArrowRight":
            return day + 1;
        case "ArrowUp":
            return day - 7;
        case "ArrowDown":
            return day + 7;
        case "Home":
            return day - place;
        case "End":
            return day + 6 - place;
        case "PageUp":
            return inMonth(-1);
        case "PageDown":
            return inMonth(1);
        default:
            return null;
    }
}
