/** A value that somebody else has measured, beyond the person's limits, in words. */

/** A value by hand speaks for a day. */
const lasts = 86_400_000;

/** @type {import("./index.js").Kind} */
export const byHand = {
    name: "byHand",
    isTellable: ({ parameter }) => parameter !== null,
    reasons: () => "byHand",
    shape: ({ byHand }) => byHand?.side ?? "live",
    isOpen: ({ at }, _tank, _gauge, now) => now - at < lasts,
    told,
    steps: { byHandOver: "fine" },
};

/**
 * @param {import("./index.js").Voice} voice
 * @param {import("./index.js").Episode} episode
 * @param {import("./index.js").About} about
 * @returns {import("./index.js").Told}
 */
function told({ t, format }, { first, until }, { now, isNow }) {
    const found = first.byHand ?? null;
    const name = t(`water.${first.parameter}_full`);
    const device = first.device?.name ?? "";
    const over = until === null ? [] : [/** @type {[string, string]} */ ([t("alerts.fact_byHandOver"), format.moment(until, now)])];
    if (found === null) return { name: t("alerts.byHand_of", { name }), detail: device, action: "", facts: over };
    /** @param {number} value */
    const text = (value) => format.withUnit(format.number(value, found.decimals), found.unit);
    const measured = t(`alerts.byHand_${found.side}`, { value: text(found.value), limit: text(found.limit) });
    return {
        name: isNow ? t(`water.${first.parameter}_${found.side}`) : t("alerts.byHand_of", { name }),
        detail: [device, measured].filter((part) => part !== "").join(" · "),
        action: t(`water.${first.parameter}_${found.side}Action`),
        facts: [[t("alerts.fact_byHand"), measured], ...over],
    };
}
