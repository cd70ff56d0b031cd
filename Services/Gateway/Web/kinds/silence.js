/** A device, or one of its parameters, of which nothing is heard, in words. */

/**
 * @param {import("../words/format.js").Voice} context
 * @param {import("../water/alerts.js").Episode} episode
 * @param {number} now
 * @returns {{name: string, detail: string, action: string, facts: [name: string, value: string][]}}
 */
export function silenceTold({ t, format }, { first, alerts, since, until }, now) {
    // The end does not tell how the device was connected meanwhile.
    const last = alerts.find(({ purpose }) => purpose !== "recovery");
    const { parameter } = first;
    const where = last?.anotherProbe ? "another" : parameter ? "others" : last?.checkProbe ? "connected" : "cutOff";
    const action = where === "others" ? `water.${parameter}_probe` : `alerts.silence_${where}Action`;
    /** @type {[string, string][]} */
    const facts = [[t("alerts.fact_heard"), format.moment(since, now)]];
    if (first.purpose === "alarm") facts.push([t("alerts.fact_noticed"), format.moment(Date.parse(first.eventTime), now)]);
    if (until !== null) facts.push([t("alerts.fact_again"), format.moment(until, now)]);
    return {
        name: parameter ? t("alerts.silence_of", { name: t(`water.${parameter}_full`) }) : t("alerts.silence"),
        detail: [first.device?.name ?? "", ...(last ? [t(`alerts.silence_${where}`)] : [])].join(" · "),
        action: last ? t(action) : "",
        facts,
    };
}
