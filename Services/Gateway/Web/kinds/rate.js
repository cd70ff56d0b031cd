/** A value that changes faster than the person wants, in words. */

/** A change is measured over an hour and a little: without another alert it has been steady for so long. */
const lasts = 75 * 60_000;

/** @type {import("./index.js").Kind} */
export const rate = {
    name: "rate",
    isTellable: ({ parameter }) => parameter !== null,
    mark: ({ change }) => change ? change.by > 0 ? "rose" : "fell" : null,
    reasons: () => "rate",
    shape: ({ side }) => side ?? "live",
    // The alert's reasons would show an end.
    isOpen: ({ alerts, at }, _tank, _gauge, now) => alerts.some(({ reasons }) => reasons !== undefined) || now - at < lasts,
    told,
    steps: { steady: "fine" },
};

/**
 * @param {import("./index.js").Voice} voice
 * @param {import("./index.js").Episode} episode
 * @param {import("./index.js").About} about
 * @returns {import("./index.js").Told}
 */
function told({ t, format }, { alerts, first, until }, { now, isNow }) {
    const change = first.change ?? null;
    const rises = change !== null && change.by > 0;
    const name = t(`water.${first.parameter}_full`);
    // A later one tells of what has changed since the one before it.
    const told = alerts.flatMap((alert) => alert.change ? [changeText({ t, format }, alert.change)] : []);
    /** @type {[string, string][]} */
    const facts = told.map((text) => [t("alerts.fact_change"), text]);
    if (change) {
        facts.push([t("alerts.fact_reached"), format.withUnit(format.number(change.value, change.decimals), change.unit)]);
        facts.push([
            t("alerts.fact_changeLimit"),
            t("alerts.change_inAnHour", { value: format.withUnit(format.number(change.limit, change.decimals), change.unit) }),
        ]);
    }
    if (until !== null) facts.push([t("alerts.fact_steady"), format.moment(until, now)]);
    return {
        name: isNow && change !== null
            ? t(`water.${first.parameter}_${rises ? "risesFast" : "fallsFast"}`)
            : t(change === null ? "alerts.rate_of" : rises ? "alerts.rate_rises" : "alerts.rate_falls", { name }),
        detail: [first.device?.name ?? "", told.at(-1) ?? ""].filter((text) => text !== "").join(" · "),
        action: t(`water.${first.parameter}_rateAction`),
        facts,
    };
}

/**
 * @param {import("./index.js").Voice} voice
 * @param {import("../water/alerts.js").Course} change
 */
function changeText({ t, format }, { by, unit, decimals, seconds }) {
    const value = format.withUnit(format.number(Math.abs(by), decimals), unit);
    const span = format.duration(Math.max(1, Math.round(seconds / 60)) * 60_000);
    return t(by > 0 ? "alerts.change_rose" : "alerts.change_fell", { value, span });
}
