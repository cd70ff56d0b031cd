/** The seven days of a week, of which some are chosen. */

import { h, set } from "../../page/dom.js";
import { daysOf } from "../../water/quiet.js";

/**
 * @param {object} model
 * @param {string} model.label
 * @param {string} model.locale
 * @param {(day: string) => void} model.onChoose A day was pressed, chosen or not.
 */
export function createDays({ label, locale, onChoose }) {
    const days = daysOf(locale).map(({ day, letter, name }) => ({
        day,
        button: h(
            "button",
            { class: "day", type: "button", onclick: () => onChoose(day) },
            h("span", { "aria-hidden": "true" }, letter),
            h("span", { class: "visually-hidden" }, name),
        ),
    }));
    return {
        element: h("div", { class: "days", role: "group", "aria-label": label }, ...days.map(({ button }) => button)),
        /** @param {readonly string[]} chosen */
        show(chosen) {
            for (const { day, button } of days) set(button, "aria-pressed", String(chosen.includes(day)));
        },
    };
}
