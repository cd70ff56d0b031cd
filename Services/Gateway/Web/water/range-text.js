/** A parameter's limits in words. */

/**
 * @param {import("../app/context.js").Context} context
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
