/** A probe that reports an error instead of values, or has reported the same value for too long, in words. */

/**
 * @param {import("../words/format.js").Voice} context
 * @param {import("../water/alerts.js").Episode} episode
 * @param {number} now
 * @returns {{name: string, detail: string, action: string, facts: [name: string, value: string][]}}
 */
export function faultTold({ t, format }, { first, since, until }, now) {
    const { flat } = first;
    /** @type {[string, string][]} */
    const facts = [[t(flat ? "alerts.fact_flat" : "alerts.fact_error"), format.moment(since, now)]];
    if (flat) facts.unshift([t("alerts.fact_flatAt"), format.withUnit(format.number(flat.value, flat.decimals), flat.unit)]);
    if (until !== null) facts.push([t(flat ? "alerts.fact_moved" : "alerts.fact_works"), format.moment(until, now)]);
    const what = flat ? "flat" : "fault";
    return {
        name: t(`alerts.${what}_of`, { name: t(`water.${first.parameter}_full`) }),
        detail: first.device?.name ?? "",
        action: t(`alerts.${what}_action`),
        facts,
    };
}
