/** A parameter's value, and its limits in a sentence. */

/** @typedef {import("../words/format.js").Voice} Voice */
/** @typedef {import("./headline.js").Gauge} Gauge */

/**
 * @param {Pick<Voice, "format">} voice
 * @param {Gauge} gauge
 */
export function valueText({ format }, gauge) {
    return format.withUnit(format.number(gauge.value, gauge.range.decimals), gauge.unit);
}

/**
 * The limits of a parameter in a sentence.
 * @param {Voice} voice
 * @param {Gauge} gauge
 */
export function limitsText({ t, format }, { range, unit }) {
    /** @param {number | null} value */
    const text = (value) => format.withUnit(format.limit(value, range.decimals), unit);
    const [minimum, maximum] = [text(range.minimum), text(range.maximum)];
    if (range.minimum === null && range.maximum === null) return t("home.card_noLimits");
    if (range.minimum === null) return t("home.card_onlyMaximum", { maximum });
    if (range.maximum === null) return t("home.card_onlyMinimum", { minimum });
    return t("home.card_limits", { minimum, maximum });
}
