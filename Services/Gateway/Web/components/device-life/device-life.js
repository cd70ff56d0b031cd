/** Lives of all devices, as a table. Amber stands in the cell that asks for a hand, and nowhere else. */

import { h, set, setText } from "../../page/dom.js";
import { createKeyed } from "../../page/keyed.js";
import { asks, cellsOf } from "../../water/life.js";
import { setShape } from "../shape/shape.js";
import { createCharge } from "./charge.js";

/**
 * @typedef {object} LifeRow
 * @property {string} id
 * @property {string} name
 * @property {string} heard When it was last heard, in words.
 * @property {boolean} isSilent
 * @property {import("../../water/life.js").Life | undefined} life undefined while it is not known.
 */

/** @param {Pick<import("../../words/format.js").Voice, "t" | "format">} words */
export function createLifeTable(words) {
    const { t } = words;
    const body = h("tbody");
    const columns = ["device", "charge", "strength", "heard", "firmware", "starts"];
    const element = h(
        "div",
        { class: "device-life surface" },
        h(
            "table",
            null,
            h("caption", { class: "visually-hidden" }, t("life.title")),
            h("thead", null, h("tr", null, ...columns.map((name) => h("th", { scope: "col" }, t(`life.${name}`))))),
            body,
        ),
    );
    const update = createKeyed(body, (/** @type {LifeRow} */ { id }) => id, createRow);

    function createRow() {
        const shape = h("span", { class: "device-life-shape" });
        const name = h("a", { class: "device-life-name" });
        const charge = createCharge();
        const [battery, signal, heard, firmware, restarts] = Array.from({ length: 5 }, () => h("span"));
        const lasts = h("span", { class: "device-life-lasts" });
        const cells = {
            battery: h("td", null, charge.element, battery, lasts),
            signal: h("td", null, signal),
            firmware: h("td", null, firmware),
            restarts: h("td", null, restarts),
        };
        const hands = Object.entries(cells).map(([need, cell]) => {
            const word = h("span", { class: "visually-hidden" }, t("life.needed"));
            cell.append(word);
            return { need, cell, word };
        });
        const row = h(
            "tr",
            null,
            h("th", { scope: "row" }, shape, name),
            cells.battery,
            cells.signal,
            h("td", null, heard),
            cells.firmware,
            cells.restarts,
        );
        return {
            element: row,
            /** @param {LifeRow} model */
            update({ id, name: called, heard: last, isSilent, life }) {
                const texts = cellsOf(words, life);
                const needs = life !== undefined && life.needs.length > 0;
                setShape(shape, needs ? "fault" : isSilent ? "silent" : null);
                set(row, "data-needs", needs || isSilent);
                set(name, "href", `/devices/${encodeURIComponent(id)}`);
                setText(name, called);
                charge.update(life?.battery ?? null);
                setText(battery, texts.battery || "–");
                setText(lasts, texts.lasts);
                setText(signal, texts.signal || "–");
                setText(heard, last);
                setText(firmware, texts.firmware || "–");
                setText(restarts, texts.restarts || "–");
                for (const { need, cell, word } of hands) {
                    set(cell, "data-needs", asks(life, need));
                    set(word, "hidden", !asks(life, need));
                }
            },
            remove() {},
        };
    }

    return { element, update };
}
