/** A parameter's limits, and what it is computed from, in words. */

/** @typedef {import("../words/format.js").Voice} Voice */

/**
 * @param {Voice} voice
 * @param {Pick<import("./tanks.js").Parameter, "minimum" | "maximum" | "decimals" | "unit">} parameter
 */
export function rangeText({ t, format }, parameter) {
    const { minimum, maximum, decimals, unit } = parameter;
    /** @param {number} value */
    const text = (value) => format.number(value, decimals);
    if (minimum !== null && maximum !== null) {
        return format.withUnit(`${text(minimum)}–${text(maximum)}`, unit);
    }
    if (maximum !== null) return t("parameter.upTo", { value: format.withUnit(text(maximum), unit) });
    if (minimum !== null) return t("parameter.from", { value: format.withUnit(text(minimum), unit) });
    return t("parameter.none");
}

/**
 * The inputs of a parameter that the device does not send; empty for one that only a probe tells.
 * @param {Voice} voice
 * @param {import("./tanks.js").Parameter | null} parameter
 */
export function computedText({ t, format }, parameter) {
    const names = (parameter?.computedFrom ?? []).map((name) => t(`water.${name}_full`));
    if (names.length === 0) return "";
    return t("parameter.computed", { names: new Intl.ListFormat(format.locale, { type: "conjunction" }).format(names) });
}
