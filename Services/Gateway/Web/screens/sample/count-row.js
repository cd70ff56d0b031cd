/** Animals or plants that are counted: a tap is one more, favourites stand first, and what was looked for and not found is a zero. */

import { createIcon, uniqueID } from "../../components/shape/shape.js";
import { createSymbol } from "../../components/symbol/symbol.js";
import { h, set, setText } from "../../page/dom.js";
import { keyOf } from "../../water/field/protocol.js";
import { counted } from "../../water/field/values.js";
import { openMore } from "./more.js";

/** @typedef {import("../../water/field/protocol.js").Species} Species */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("./value-row.js").RowParts & {favourites: () => ReadonlySet<string>, favour: (species: string) => void}} parts
 */
export function createCountRow(context, { field, spot, typed, say, favourites, favour }) {
    const { t } = context;
    const nameID = uniqueID();
    const said = h("p", { class: "small quiet", role: "status" });
    const fault = h("p", { class: "hand-fault small", role: "status" });
    const list = h("ul", { "aria-labelledby": nameID });
    const rows = (field.species ?? []).map(createSpecies);
    const none = h("button", { class: "chip", type: "button", onclick: () => change(typed()?.counts ? null : nothing()) }, t("field.none_found"));
    const openIt = () => openMore(context, { field, typed, say: change });
    const more = h("button", { class: "icon-button", type: "button", "aria-label": t("field.more", { name: field.label }), onclick: openIt }, createIcon("more"));
    const element = h(
        "div",
        { class: "field-count", "data-field": field.id },
        h("div", { class: "field-count-head" }, h("div", null, h("p", { class: "hand-name", id: nameID }, field.label), said, fault), more),
        list,
        h("div", { class: "journal-offers" }, none),
    );
    let isMissed = false;

    /** @param {Species} species */
    function createSpecies({ id, label, scientific }) {
        const number = h("output", { class: "field-count-number" });
        const star = h("button", { class: "icon-button field-star", type: "button", onclick: () => (favour(id), show()) }, "★");
        const lessen = () => change(counted(typed(), id, -1));
        const less = h("button", { class: "icon-button", type: "button", "aria-label": t("field.one_less", { name: label }), onclick: lessen }, createSymbol("minus"));
        const plus = h(
            "button",
            { class: "field-plus", type: "button", "aria-label": t("field.one_more", { name: label }), onclick: () => change(counted(typed(), id, 1)) },
            h("span", { class: "field-species" }, h("span", null, label), h("span", { class: "small quiet", lang: "la" }, scientific ?? "")),
            number,
            createSymbol("plus"),
        );
        return { id, label, number, star, less, element: h("li", { class: "field-species-row" }, star, plus, less) };
    }

    /** Somebody has looked for all of them. */
    const nothing = () => ({ counts: Object.fromEntries(rows.map(({ id }) => [id, 0])) });

    /** @param {import("../../water/field/values.js").Typed | null} next */
    function change(next) {
        isMissed = false;
        say(next);
        show();
    }

    function show() {
        const now = typed();
        const counts = now?.counts ?? {};
        const first = favourites();
        const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
        setText(said, now?.not !== undefined ? "" : now?.counts ? t("field.total", { count: total }) : field.help ?? "");
        setText(fault, now?.not !== undefined ? t("field.not_measured_why", { why: now.not }) : isMissed && !now ? t("field.missing") : "");
        for (const row of rows) {
            const isFirst = first.has(row.id);
            setText(row.number, row.id in counts ? String(counts[row.id]) : "–");
            set(row.less, "aria-disabled", (counts[row.id] ?? 0) === 0 ? "true" : null);
            set(row.star, "aria-pressed", String(isFirst));
            set(row.star, "aria-label", t(isFirst ? "field.favourite_off" : "field.favourite", { name: row.label }));
        }
        const focused = document.activeElement;
        const order = [...rows].sort((one, other) => Number(first.has(other.id)) - Number(first.has(one.id)));
        if (order.some(({ element }, index) => list.children[index] !== element)) {
            list.replaceChildren(...order.map(({ element }) => element));
            if (focused instanceof HTMLElement && list.contains(focused)) focused.focus();
        }
        set(none, "hidden", total > 0);
        set(none, "aria-pressed", String(now?.counts !== undefined && total === 0));
        set(none, "data-on", now?.counts !== undefined && total === 0);
    }

    show();
    return {
        element,
        key: keyOf(field.id, spot),
        show,
        miss() {
            isMissed = true;
            show();
        },
        focus: () => rows[0]?.element.querySelector("button")?.focus(),
    };
}
