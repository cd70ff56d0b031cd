/** All points as a table, which says what the map shows: those that changed most first, or by name. */

import { h, set, setText } from "../../page/dom.js";
import { createKeyed } from "../../page/keyed.js";
import { classOf, ordered } from "../../water/change.js";

/** @typedef {import("../../water/change.js").ChangePoint} ChangePoint */
/** @typedef {import("../../water/change.js").Order} Order */

/** So many rows stand at first; a press brings as many more. */
const page = 100;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {ReturnType<typeof import("./texts.js").createTexts>} texts
 * @param {(point: ChangePoint) => void} open
 */
export function createTable({ t, format }, texts, open) {
    /** @type {readonly ChangePoint[]} */
    let points = [];
    /** @type {Order} */
    let order = "change";
    let most = page;
    const heads = /** @type {const} */ (["name", "change"]).map((name) => ({
        name,
        cell: h("th", { scope: "col" }, h("button", { class: "change-order", type: "button", onclick: () => sort(name) }, t(`changeMap.order_${name}`))),
    }));
    const rows = h("tbody");
    const more = h("button", { class: "button button-outlined", type: "button", onclick: () => show(points, most + page) }, t("changeMap.more"));
    const element = h(
        "div",
        { class: "change-table" },
        h("table", null, h("caption", { class: "visually-hidden" }, t("changeMap.table")), h("thead", null, h("tr", null, heads.map(({ cell }) => cell))), rows),
        more,
    );
    const update = createKeyed(rows, (/** @type {ChangePoint} */ { device }) => device, createTableRow);

    /** @param {Order} next */
    function sort(next) {
        order = next;
        show(points, most);
    }

    /**
     * @param {readonly ChangePoint[]} next
     * @param {number} [count]
     */
    function show(next, count = page) {
        points = next;
        most = count;
        for (const { name, cell } of heads) set(cell, "aria-sort", name !== order ? null : name === "name" ? "ascending" : "descending");
        update(ordered(points, order, format.locale).slice(0, most));
        set(more, "hidden", points.length <= most);
    }

    function createTableRow() {
        /** @type {ChangePoint | null} */
        let point = null;
        const name = h("span", { class: "row-name" });
        const detail = h("span", { class: "row-detail" });
        const chip = h("span", { class: "change-chip" });
        const word = h("span", { class: "row-detail" });
        const element = h(
            "tr",
            null,
            h("th", { scope: "row" }, h("button", { class: "change-row", type: "button", onclick: () => point && open(point) }, name, detail)),
            h("td", null, chip, word),
        );
        return {
            element,
            /** @param {ChangePoint} next */
            update(next) {
                point = next;
                setText(name, next.name);
                setText(detail, `${texts.course(next)} · ${texts.source(next)}`);
                setText(chip, texts.signed(next.change));
                set(chip, "data-class", classOf(next.class));
                set(chip, "data-square", next.byHand || next.site);
                setText(word, texts.word(next.class));
            },
        };
    }

    return { element, show };
}
