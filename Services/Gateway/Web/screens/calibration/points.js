/** The standards of an entry: in which of them the probe read what, and what it reads afterwards. */

import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { h, set } from "../../page/dom.js";
import { mostPoints, pointsOf, usualStandard } from "../../water/calibration.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../water/calibration.js").Parameter} parameter
 */
export function createPoints({ t, format }, parameter) {
    /** @type {{element: HTMLElement, standard: import("../../components/field/field.js").Field, before: import("../../components/field/field.js").Field, after: import("../../components/field/field.js").Field}[]} */
    const rows = [];
    let hasAfter = true;
    const list = h("div", { class: "calibration-points" });
    const more = createButton({ text: t("calibration.more"), press: add });
    const element = h("div", null, list, more.element);
    const unit = format.withUnit("", parameter.unit).trim();

    /**
     * @param {string} key
     * @param {string} name
     * @param {string} value
     */
    function field(key, name, value) {
        return createField({ label: t(`calibration.${key}`), name, inputmode: "decimal", maxlength: 12, value });
    }

    function add() {
        const place = rows.length;
        const usual = usualStandard(parameter, place);
        const standard = field("standard", `standard-${place}`, usual === null ? "" : format.number(usual, usual < 100 ? parameter.decimals + 1 : 0));
        const [before, after] = [field("before", `before-${place}`, ""), field("after", `after-${place}`, "")];
        const heading = h("p", { class: "calibration-name" }, t("calibration.point", { number: place + 1 }), unit === "" ? "" : ` (${unit})`);
        const row = h("div", { class: "calibration-point", role: "group", "aria-label": t("calibration.point", { number: place + 1 }) }, heading, standard.element, before.element, after.element);
        rows.push({ element: row, standard, before, after });
        list.append(row);
        set(more.element, "hidden", rows.length >= mostPoints);
        show();
        if (place > 0) standard.focus();
    }

    function show() {
        for (const { after } of rows) set(after.element, "hidden", !hasAfter);
    }

    add();
    return {
        element,

        /** What was typed; null where something is no number. */
        read: () =>
            pointsOf(rows.map(({ standard, before, after }) => ({
                standard: standard.value,
                before: before.value,
                after: hasAfter ? after.value : "",
            }))),

        /** A check changes nothing. @param {boolean} next */
        setAfter(next) {
            hasAfter = next;
            show();
        },
    };
}
