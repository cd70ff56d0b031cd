/** A limit that is reached if the value goes on as it has lately, in words. */

/** @type {import("./index.js").Kind} */
export const ahead = {
    name: "ahead",
    isTellable: ({ parameter }) => parameter !== null,
    reasons: () => "ahead",
    shape: ({ side }) => side ?? "live",
    // The notice lasts until the limit was expected, or reached.
    isOpen: ({ first }, _, gauge, now) => gauge?.side === null && now < Date.parse(first.outlook?.expectedAt ?? ""),
    told,
    steps: { turned: "fine" },
};

/**
 * @param {import("./index.js").Voice} voice
 * @param {import("./index.js").Episode} episode
 * @param {import("./index.js").About} about
 * @returns {import("./index.js").Told}
 */
function told({ t, format }, { first, until }, { now, isNow }) {
    const outlook = first.outlook ?? null;
    const name = t(`water.${first.parameter}_full`);
    const device = first.device?.name ?? "";
    const over = until === null ? [] : [/** @type {[string, string]} */ ([t("alerts.fact_turned"), format.moment(until, now)])];
    if (outlook === null) {
        return { name: t("alerts.ahead_of", { name }), detail: device, action: t("alerts.ahead_action"), facts: over };
    }
    /** @param {number} value */
    const text = (value) => format.withUnit(format.number(value, outlook.decimals), outlook.unit);
    const expected = t(`alerts.ahead_${outlook.side}`, {
        limit: text(outlook.limit),
        time: format.placed(Date.parse(outlook.expectedAt), now),
    });
    return {
        name: isNow
            ? t(`water.${first.parameter}_${outlook.side === "high" ? "rises" : "falls"}`)
            : t(outlook.side === "high" ? "alerts.ahead_rises" : "alerts.ahead_falls", { name }),
        detail: [device, expected].filter((part) => part !== "").join(" · "),
        action: t("alerts.ahead_action"),
        facts: [[t("alerts.fact_outlook"), expected], [t("alerts.fact_then"), text(outlook.value)], ...over],
    };
}
