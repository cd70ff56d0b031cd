/** The coming week: a row for each who stands in a shift, with their turns as a band and in words. */

import { h } from "../../../page/dom.js";
import { rowsOf, turnText } from "../../../water/shifts.js";

/** @param {import("./shifts.js").Scene} scene */
export function weekOf({ context, rota, members, nameOf }) {
    const { t } = context;
    const now = Date.now();
    const rows = rowsOf(rota, members, now);
    if (rows.length === 0) return [];
    return [
        h("h2", { class: "section-head" }, t("shifts.week")),
        h(
            "ul",
            { class: "surface" },
            ...rows.map(({ member, turns, parts }) =>
                h(
                    "li",
                    { class: "shifts-person" },
                    h("span", { class: "shifts-name" }, nameOf(member.id)),
                    h(
                        "span",
                        { class: "shifts-week", "aria-hidden": "true" },
                        ...parts.map(part),
                    ),
                    h("span", { class: "shifts-turns small quiet" }, ...turns.length === 0 ? [t("shifts.free")] : turns.map((turn) => h("span", null, turnText(context, turn, now)))),
                )
            ),
        ),
    ];
}

/** A turn's part of the band. @param {{from: number, width: number}} share */
function part({ from, width }) {
    const element = h("span", { class: "shifts-part" });
    element.style.left = `${100 * from}%`;
    element.style.width = `${100 * width}%`;
    return element;
}
