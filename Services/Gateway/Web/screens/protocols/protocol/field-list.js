/** The fields of a protocol that is made, in their order: each is opened, and moved up and down. */

import { createIcon } from "../../../components/shape/shape.js";
import { h, set } from "../../../page/dom.js";
import { fieldFault, movedBy } from "../../../water/field/making.js";

/** @typedef {import("../../../water/field/making.js").MadeField} MadeField */
/** @typedef {import("../../../water/field/making.js").Making} Making */

/**
 * @param {import("../../../app/context.js").Context} context
 * @param {{open: (index: number) => void, reorder: (fields: readonly MadeField[]) => void}} parts
 */
export function createFieldList({ t, format }, { open, reorder }) {
    const element = h("ol", { class: "rows surface protocol-fields" });
    /** @type {Making | null} */
    let making = null;

    /** @param {number} index @param {-1 | 1} by */
    function move(index, by) {
        if (!making) return;
        const { fields } = making;
        const next = movedBy(fields, index, by);
        if (next === fields) return;
        reorder(next);
        // The focus goes with what was moved; at an end, to the button that still moves it.
        const row = element.children[index + by];
        const [up, down] = /** @type {NodeListOf<HTMLElement>} */ (row.querySelectorAll(".icon-button"));
        (index + by === 0 ? down : index + by === next.length - 1 ? up : by < 0 ? up : down).focus();
    }

    /** @param {MadeField} field */
    function detailOf({ kind, unit, each, required }) {
        return [t(`protocol.kind_${kind}`), format.withUnit("", unit).trim(), each === "sample" ? "" : t(`protocol.each_${each}`), required ? t("field.required") : ""].filter((text) => text !== "").join(" · ");
    }

    /** @param {MadeField} field @param {number} index @param {Making} of */
    function rowOf(field, index, of) {
        const name = field.label.trim() || t("protocol.unnamed");
        const why = fieldFault(field, of);
        const up = h("button", { class: "icon-button protocol-up", type: "button", "aria-label": t("protocol.up", { name }), onclick: () => move(index, -1) }, createIcon("chevronDown"));
        const down = h("button", { class: "icon-button", type: "button", "aria-label": t("protocol.down", { name }), onclick: () => move(index, 1) }, createIcon("chevronDown"));
        set(up, "disabled", index === 0);
        set(down, "disabled", index === of.fields.length - 1);
        return h(
            "li",
            { class: "row-place" },
            h(
                "button",
                { class: "row", type: "button", onclick: () => open(index) },
                h("span", { class: "row-text" }, h("span", { class: "row-name" }, name), h("span", { class: "row-detail" }, detailOf(field)), field.typed ? h("span", { class: "row-detail protocol-unfinished" }, t("protocol.unfinished")) : null, why ? h("span", { class: "row-detail protocol-fault" }, t(`protocol.fault_${why}`)) : null),
            ),
            up,
            down,
        );
    }

    return {
        element,
        /** @param {Making} next */
        show(next) {
            making = next;
            set(element, "hidden", next.fields.length === 0);
            element.replaceChildren(...next.fields.map((field, index) => rowOf(field, index, next)));
        },
        /** @param {number} index */
        focus: (index) => /** @type {HTMLElement | null | undefined} */ (element.children[index]?.querySelector(".row"))?.focus(),
    };
}
