/** A month as a table of buttons: arrows go from day to day, Page Up and Down from month to month, a finger sweeps to the next. */

import { h, set } from "../../page/dom.js";
import { createShape } from "../shape/shape.js";

/** @typedef {import("../shape/shape.js").ShapeName} ShapeName */

/**
 * @typedef {object} CalendarDay
 * @property {number} day
 * @property {string} text The number in the month.
 * @property {string} label For readers: the date, and what stands there.
 * @property {readonly ShapeName[]} marks
 * @property {string} more How many marks have no place, such as +2.
 * @property {boolean} isOther Whether it is another month's.
 */

/**
 * @typedef {object} CalendarModel
 * @property {string} label The month.
 * @property {readonly {short: string, name: string}[]} heads
 * @property {readonly (readonly CalendarDay[])[]} weeks
 * @property {number} today
 * @property {number} chosen
 */

/** A finger that moved so far, and more across than along, sweeps. */
const sweep = 48;

/**
 * @param {object} events
 * @param {(day: number) => void} events.choose
 * @param {(day: number, key: string) => number | null} events.moved The day to which a key moves from one.
 * @param {(count: number) => void} events.turn Shows a later month, or an earlier one.
 */
export function createCalendar({ choose, moved, turn }) {
    const head = h("tr");
    const body = h("tbody");
    const element = h("table", { class: "calendar", role: "grid", onkeydown: press, onclick: click }, h("thead", null, head), body);
    /** @type {Map<number, HTMLElement>} */
    let buttons = new Map();
    let isAsked = false;
    let shown = "";

    /** @param {EventTarget | null} target */
    function dayOf(target) {
        const button = target instanceof Element ? target.closest("[data-day]") : null;
        return button ? Number(button.getAttribute("data-day")) : null;
    }

    /** @param {Event} event */
    function click({ target }) {
        const day = dayOf(target);
        if (day !== null) choose(day);
    }

    /** @param {KeyboardEvent} event */
    function press(event) {
        const day = dayOf(event.target);
        if (day === null || event.ctrlKey || event.metaKey || event.altKey) return;
        const next = moved(day, event.key);
        if (next === null) return;
        event.preventDefault();
        isAsked = true;
        choose(next);
    }

    let start = { x: 0, y: 0 };
    element.addEventListener("touchstart", ({ touches: [touch] }) => start = { x: touch.clientX, y: touch.clientY }, { passive: true });
    element.addEventListener("touchend", ({ changedTouches: [touch] }) => {
        const [across, along] = [touch.clientX - start.x, touch.clientY - start.y];
        if (Math.abs(across) > sweep && Math.abs(across) > 2 * Math.abs(along)) turn(across < 0 ? 1 : -1);
    }, { passive: true });

    /** @param {CalendarDay} model */
    function createDay({ day, text, label, marks, more, isOther }) {
        const button = h(
            "button",
            { class: "calendar-day", type: "button", "data-day": day, "data-other": isOther, "aria-label": label, tabindex: "-1" },
            h("span", null, text),
            h("span", { class: "calendar-marks" }, ...marks.map((mark) => createShape(mark)), more === "" ? null : h("span", { class: "small" }, more)),
        );
        buttons.set(day, button);
        return h("td", { role: "gridcell" }, button);
    }

    return {
        element,
        /** @param {CalendarModel} model */
        update({ label, heads, weeks, today, chosen }) {
            set(element, "aria-label", label);
            const made = JSON.stringify([heads, weeks]);
            if (made !== shown) {
                shown = made;
                const hadFocus = element.contains(document.activeElement);
                isAsked ||= hadFocus;
                head.replaceChildren(...heads.map(({ short, name }) => h("th", { scope: "col", abbr: name }, short)));
                buttons = new Map();
                body.replaceChildren(...weeks.map((days) => h("tr", null, ...days.map(createDay))));
            }
            for (const [day, button] of buttons) {
                set(button, "aria-current", day === today ? "date" : null);
                set(button, "aria-pressed", String(day === chosen));
                set(button, "tabindex", day === chosen ? "0" : "-1");
            }
            if (isAsked) buttons.get(chosen)?.focus({ preventScroll: true });
            isAsked = false;
        },
    };
}

/** What the marks mean. @param {readonly {shape: ShapeName, text: string}[]} entries */
export function createLegend(entries) {
    return h("ul", { class: "calendar-legend small quiet" }, ...entries.map(({ shape, text }) => h("li", { "data-mark": shape }, createShape(shape), text)));
}
