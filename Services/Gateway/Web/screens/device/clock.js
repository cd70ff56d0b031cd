/** A device's clock that is wrong, or may be, in words. */

/**
 * @param {import("../../water/tanks.js").DeviceClock} clock
 * @param {Pick<import("../../app/context.js").Context, "t" | "format">} words
 * @returns {{value: string, note: string}}
 */
export function clockWords({ lagSeconds, steppedAt }, { t, format }) {
    const span = format.brief(Math.abs(lagSeconds ?? 0) * 1_000);
    const value = lagSeconds === null ? t("devices.clock_doubted") : t(lagSeconds < 0 ? "devices.clock_ahead" : "devices.clock_behind", { span });
    const stepped = steppedAt ? `${t("devices.clock_stepped", { moment: format.moment(Date.parse(steppedAt)) })} ` : "";
    return { value, note: stepped + t("devices.clock_note") };
}
