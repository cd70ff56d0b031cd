/** A probe that reports an error instead of values, or has reported the same value for too long, in words. */

import { isBroken } from "../water/headline.js";
import { valueText } from "../water/value-text.js";
import { mark, plain, strong } from "../words/sentence.js";

/** @type {import("./index.js").Kind} */
export const fault = {
    name: "fault",
    isOfProbe: true,
    isTellable: ({ parameter }) => parameter !== null,
    isOfDevice: () => true,
    isShown: ({ brokenProbes = [] }, { parameter, state, since = "" }) =>
        brokenProbes.some((probe) => probe.parameter === parameter && (state !== "open" || Date.parse(probe.since) === Date.parse(since))),
    reasons: ({ flat }) => flat ? "flat" : "fault",
    shape: () => "fault",
    // The probe has given no value since, or no other one.
    isOpen: ({ first, since }, _, gauge) =>
        first.flat ? gauge?.brokenSince === since : gauge !== undefined && (gauge.time ?? -Infinity) <= since,
    told,
    steps: { broken: "fault", flat: "fault", works: "fine", moved: "fine" },
    found: {
        fault: {
            shape: () => "fault",
            noticed: ({ t }, { gauge }) => t(`water.${gauge?.name}_probe`),
            word: ({ t }, { gauge }) => t(`water.${gauge?.name}_probe`),
            headline(voice, { finding }, { now }) {
                const { t, format } = voice;
                const gauge = finding?.gauge;
                if (!gauge) return { headline: "", reason: [] };
                return {
                    headline: t(`water.${gauge.name}_probe`),
                    reason: isBroken(gauge)
                        ? plain(t(gauge.isFlat ? "home.flat_reason" : "home.broken_reason", { time: format.placed(finding.since, now) }))
                        : strong(t("home.fault_reason", { value: mark }), valueText(voice, gauge)),
                };
            },
        },
    },
};

/**
 * @param {import("./index.js").Voice} voice
 * @param {import("./index.js").Episode} episode
 * @param {import("./index.js").About} about
 * @returns {import("./index.js").Told}
 */
function told({ t, format }, { first, since, until }, { now, isNow }) {
    const { flat } = first;
    /** @type {[string, string][]} */
    const facts = [[t(flat ? "alerts.fact_flat" : "alerts.fact_error"), format.moment(since, now)]];
    if (flat) facts.unshift([t("alerts.fact_flatAt"), format.withUnit(format.number(flat.value, flat.decimals), flat.unit)]);
    if (until !== null) facts.push([t(flat ? "alerts.fact_moved" : "alerts.fact_works"), format.moment(until, now)]);
    const what = flat ? "flat" : "fault";
    return {
        name: isNow ? t(`water.${first.parameter}_probe`) : t(`alerts.${what}_of`, { name: t(`water.${first.parameter}_full`) }),
        detail: first.device?.name ?? "",
        action: t(`alerts.${what}_action`),
        facts,
    };
}
