/** Sums beside an amount: what a dose on a label makes of this tank, and what a water change does to a value. */

import { h, set, setText } from "../../page/dom.js";
import { afterChanges, doseOf, shareOf } from "../../water/dosing.js";
import { amountText, numberText } from "../../water/journal-text.js";
import { parseNumber } from "../../words/numbers.js";
import { createButton } from "../button/button.js";
import { createField } from "../field/field.js";
import { rememberVolume, volumeOf } from "./volume.js";

/** A dose is measured out to so many digits behind the mark. */
const precision = 2;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} what
 * @param {string} what.kind
 * @param {string} what.device
 * @param {() => {amount: number | null, unit: string | null}} what.said How much the entry says.
 * @param {(amount: number) => void} what.take Says it in the entry.
 */
export function createSum(context, { kind, device, said, take }) {
    if (kind !== "waterChanged" && kind !== "dosed") return null;
    const { t, store, api } = context;
    const name = store.deviceOf(device)?.name ?? "";
    const before = volumeOf(context, device);
    const number = (/** @type {string} */ label, /** @type {string} */ name, value = "") =>
        createField({ label, name, inputmode: "decimal", value, onInput: update });
    const volume = number(t("journal.volume", { name }), "volume", before === null ? "" : String(before));
    const isDose = kind === "dosed";
    const fields = isDose
        ? [number(t("journal.dose_amount"), "dose"), number(t("journal.dose_per"), "per", "100"), volume]
        : [number(t("journal.sum_value"), "value"), number(t("journal.sum_tap"), "tap", "0"), number(t("journal.sum_times"), "times", "1"), volume];
    const result = h("p", { class: "entry-sum-result", role: "status" });
    const use = createButton({ text: "", kind: "quiet", press: () => take(dose ?? 0) });
    const summary = h("summary", null, t(isDose ? "journal.dose" : "journal.sum"));
    const element = h(
        "details",
        { class: "entry-sum" },
        summary,
        h("div", { class: "entry-sum-fields" }, fields.map((field) => field.element)),
        result,
        isDose ? use.element : null,
    );
    /** @type {number | null} */
    let dose = null;

    function update() {
        const litres = parseNumber(volume.value);
        if (litres !== null && litres > 0) rememberVolume(context, device, litres);
        const values = fields.map((field) => parseNumber(field.value));
        setText(result, isDose ? dosed(values[0], values[1], litres) : changed(values, litres));
        set(use.element, "hidden", dose === null);
        const text = dose === null ? "" : amountText(context, dose, said().unit);
        if (text !== "") use.setText(t("journal.dose_take", { amount: text }));
    }

    /**
     * @param {number | null} amount
     * @param {number | null} per
     * @param {number | null} litres
     */
    function dosed(amount, per, litres) {
        dose = amount !== null && per !== null && litres !== null && amount > 0 && per > 0 && litres > 0
            ? Number(doseOf(litres, { amount, per }).toFixed(precision))
            : null;
        if (dose === null || litres === null) return "";
        return t("journal.dose_is", { volume: amountText(context, litres, "litre"), amount: amountText(context, dose, said().unit) });
    }

    /**
     * @param {(number | null)[]} values
     * @param {number | null} litres
     */
    function changed([value, tap, times], litres) {
        const { amount, unit } = said();
        const share = shareOf(amount, unit, litres);
        set(volume.element, "hidden", unit === "percent");
        if (value === null) return "";
        if (share === null) return t("journal.sum_share");
        const after = afterChanges(value, { share, times: Math.max(1, Math.round(times ?? 1)), tap: tap ?? 0 });
        return t("journal.sum_is", { value: numberText(context, after) });
    }

    /** The volume that the keeper has said of the tank, unless another one is being typed. Without an answer the person says it here. */
    async function fill() {
        const shown = volume.value;
        const answer = await api.get(`/devices/${encodeURIComponent(device)}/questionnaire`).catch(() => null);
        const litres = answer?.data.answers.litres ?? null;
        if (litres === null || volume.value !== shown) return;
        volume.value = String(litres);
        update();
    }

    update();
    // Nobody is asked before somebody wants a sum.
    element.addEventListener("toggle", () => void fill(), { once: true });
    return { element, update };
}
