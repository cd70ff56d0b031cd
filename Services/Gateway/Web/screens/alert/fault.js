/** A probe that reports an error instead of values, in words. */

/**
 * @param {Pick<import("../../app/context.js").Context, "t" | "format">} context
 * @param {import("../../app/alerts.js").Episode} episode
 * @param {number} now
 * @returns {{name: string, detail: string, action: string, facts: [name: string, value: string][]}}
 */
export function faultTold({ t, format }, { first, since, until }, now) {
    /** @type {[string, string][]} */
    const facts = [[t("alerts.fact_error"), format.moment(since, now)]];
    if (until !== null) facts.push([t("alerts.fact_works"), format.moment(until, now)]);
    return {
        name: t("alerts.fault_of", { name: t(`water.${first.parameter}_full`) }),
        detail: first.device?.name ?? "",
        action: t("alerts.fault_action"),
        facts,
    };
}
