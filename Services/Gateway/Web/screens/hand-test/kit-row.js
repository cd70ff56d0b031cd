/** One parameter of a test by hand: a field for a number, or the steps of the kit's card, and what was known before. */

import { uniqueID } from "../../components/shape/shape.js";
import { h, set, setText } from "../../page/dom.js";
import { doubtOf, entryOf, handText, shownValue } from "../../water/by-hand.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} model
 * @param {string} model.device
 * @param {import("../../water/by-hand.js").Row} model.row
 * @param {import("../../water/by-hand.js").Latest | undefined} model.latest
 * @param {() => void} model.changed
 */
export function createKitRow(context, { device, row, latest, changed }) {
    const { t, format, store } = context;
    const parameter = store.parameterOf(device, row.parameter);
    const name = t(`water.${row.parameter}_full`);
    const [inputID, hintID, faultID] = [uniqueID(), uniqueID(), uniqueID()];
    const last = latest?.last ?? null;
    const gauge = store.tanks.value?.find((tank) => tank.id === device)?.gauges.find((gauge) => gauge.name === row.parameter);
    const hint = last
        ? t("byHand.last", { value: handText(context, last.value, parameter), ago: format.ago(Date.parse(last.at)) })
        : gauge && gauge.value !== null
        ? t("byHand.probeNow", { value: format.withUnit(format.number(gauge.value, gauge.range.decimals), gauge.unit) })
        : "";
    const fault = h("p", { class: "hand-fault small", id: faultID, role: "status" });
    /** @type {string | null} */
    let chosen = null;
    let text = "";

    const label = h(
        row.steps.length > 0 ? "p" : "label",
        { class: "hand-name", ...row.steps.length > 0 ? { id: inputID } : { for: inputID } },
        name,
    );
    const about = h("p", { class: "small quiet", id: hintID }, hint);

    function createNumber() {
        const input = h("input", {
            class: "field-input hand-number",
            id: inputID,
            name: row.parameter,
            type: "text",
            inputmode: "decimal",
            autocomplete: "off",
            maxlength: 12,
            placeholder: "–",
            "aria-describedby": `${hintID} ${faultID}`,
        });
        input.addEventListener("input", () => {
            text = input.value;
            const wrong = isFaulty();
            set(input, "aria-invalid", wrong ? "true" : null);
            setText(fault, wrong ? t(entry() === null ? "byHand.noNumber" : "byHand.impossible") : "");
            changed();
        });
        return h("div", { class: "hand-box" }, input, h("span", { class: "hand-unit small" }, format.withUnit("", row.unit).trim()));
    }

    function createSteps() {
        const buttons = row.steps.map(({ choice }) =>
            h("button", {
                class: "button hand-step",
                type: "button",
                "aria-pressed": "false",
                onclick: () => {
                    chosen = chosen === choice ? null : choice;
                    row.steps.forEach((step, index) => set(buttons[index], "aria-pressed", String(step.choice === chosen)));
                    changed();
                },
            }, choice.replace("-", "–"))
        );
        return h("div", { class: "hand-steps", role: "group", "aria-labelledby": inputID, "aria-describedby": hintID }, buttons);
    }

    /** @returns {import("../../water/by-hand.js").Entry | null} */
    function entry() {
        if (row.steps.length > 0) return chosen === null ? null : { parameter: row.parameter, choice: chosen };
        return entryOf(row, text);
    }

    function doubt() {
        const own = entry();
        return own && doubtOf(own, latest, parameter);
    }

    function isFaulty() {
        return row.steps.length === 0 && text.trim() !== "" && (entry() === null || doubt() === "impossible");
    }

    const element = h(
        "div",
        { class: "hand-row", "data-parameter": row.parameter },
        h("div", null, label, about, fault),
        row.steps.length > 0 ? createSteps() : createNumber(),
    );
    /** The same as it is shown until the service has answered. */
    function shown() {
        const own = entry();
        return own && shownValue(own, row, parameter);
    }

    return { element, name, entry, shown, isFaulty, isUnlikely: () => doubt() === "unlikely" };
}
