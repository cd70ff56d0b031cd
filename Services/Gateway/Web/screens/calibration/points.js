/** The standards of an entry: in which of them the probe read what, and what it reads afterwards. */

import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { h, set } from "../../page/dom.js";
import { mostPoints, pointsOf, usualStandard } from "../../water/calibration.js";

/** @typedef {import("../../components/field/field.js").Field} Field */
/** @typedef {import("../../water/calibration.js").Point} Point */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../water/calibration.js").Parameter} parameter
 * @param {string} unit In which they are read.
 * @param {readonly Point[]} known Those that were written down.
 */
export function createPoints({ t, format }, parameter, unit, known) {
    /** @type {{standard: Field, before: Field, after: Field, proposed: string, millivolts: Field | null}[]} */
    const rows = [];
    let hasAfter = true;
    const list = h("div");
    const more = createButton({ text: t("calibration.more"), press: () => add().focus() });
    const element = h("div", null, list, more.element);
    const unitText = format.withUnit("", unit).trim();

    /** @param {number | null} value With all its digits. */
    const exact = (value) => value === null ? "" : format.number(value, String(value).split(".")[1]?.length ?? 0);

    /** @param {Point} [point] Without one, a standard is proposed. */
    function add(point) {
        const place = rows.length;
        const usual = point || unit !== parameter.unit ? null : usualStandard(parameter, place);
        const proposed = usual === null ? "" : format.number(usual, usual < 100 ? parameter.decimals + 1 : 0);
        const [standard, before, after] = [
            createField({ label: t("calibration.standard"), name: `standard-${place}`, inputmode: "decimal", maxlength: 12, value: point ? exact(point.standard) : proposed }),
            createField({ label: t("calibration.before"), name: `before-${place}`, inputmode: "decimal", maxlength: 12, value: exact(point?.before ?? null) }),
            createField({ label: t("calibration.after"), name: `after-${place}`, inputmode: "decimal", maxlength: 12, value: exact(point?.after ?? null) }),
        ];
        // Of what a pH electrode gives in two buffers its health follows.
        const millivolts = parameter.name === "ph"
            ? createField({
                label: `${t("calibration.millivolts")} (${format.withUnit("", "mV").trim()})`,
                name: `millivolts-${place}`,
                inputmode: "text",
                maxlength: 8,
                value: exact(point?.millivolts ?? null),
            })
            : null;
        const name = t("calibration.point", { number: place + 1 });
        list.append(h(
            "div",
            { class: "calibration-point", role: "group", "aria-label": name },
            h("p", { class: "calibration-name" }, name, unitText === "" ? "" : ` (${unitText})`),
            standard.element,
            before.element,
            after.element,
            millivolts?.element ?? null,
        ));
        rows.push({ standard, before, after, proposed, millivolts });
        set(more.element, "hidden", rows.length >= mostPoints);
        show();
        return standard;
    }

    function show() {
        for (const { after } of rows) set(after.element, "hidden", !hasAfter);
    }

    if (known.length === 0) add();
    for (const point of known) add(point);
    return {
        element,

        /** What was typed; null where something is no number. */
        read: () =>
            pointsOf(rows.map(({ standard, before, after, proposed, millivolts }) => ({
                standard: standard.value,
                proposed,
                before: before.value,
                after: hasAfter ? after.value : "",
                millivolts: millivolts?.value ?? "",
            }))),

        /** A check changes nothing. @param {boolean} next */
        setAfter(next) {
            hasAfter = next;
            show();
        },
    };
}
