/** A probe that reports an error instead of values, has reported the same value for too long, or lies apart from a second one, in words. */

import { isBroken } from "../water/headline.js";
import { valueText } from "../water/value-text.js";
import { mark, plain, strong } from "../words/sentence.js";

/** @type {import("./index.js").Kind} */
export const fault = {
    name: "fault",
    isOfProbe: true,
    isTellable: ({ parameter }) => parameter !== null,
    isOfDevice: () => true,
    isShown: ({ brokenProbes = [], differingProbes = [] }, { parameter, state, since = "" }) =>
        [...brokenProbes, ...differingProbes].some((probe) => probe.parameter === parameter && (state !== "open" || Date.parse(probe.since) === Date.parse(since))),
    reasons: ({ flat, differs }) => differs ? "differs" : flat ? "flat" : "fault",
    shape: () => "fault",
    // The probe has given no value since, or no other one, or lies apart still.
    isOpen: ({ first, since }, _, gauge) =>
        first.differs ? gauge?.apart?.since === since : first.flat ? gauge?.brokenSince === since : gauge !== undefined && (gauge.time ?? -Infinity) <= since,
    told,
    steps: { broken: "fault", flat: "fault", works: "fine", moved: "fine", differing: "fault", agreeing: "fine" },
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
    const { flat, differs } = first;
    if (differs) {
        /** @type {[string, string][]} */
        const facts = [
            [t(differs.by > 0 ? "alerts.fact_higher" : "alerts.fact_lower"), format.withUnit(format.number(Math.abs(differs.by), differs.decimals), differs.unit)],
            [t("alerts.fact_differs"), format.moment(since, now)],
        ];
        if (until !== null) facts.push([t("alerts.fact_agrees"), format.moment(until, now)]);
        return {
            name: isNow ? t(`water.${first.parameter}_differs`) : t("alerts.differs_of", { name: t(`water.${first.parameter}_full`) }),
            detail: first.device?.name ?? "",
            action: t("alerts.differs_action"),
            facts,
        };
    }
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
