/** A device, or one of its parameters, of which nothing is heard, in words. */

import { heardAt } from "../water/headline.js";
import { hintText } from "../water/silence-hint.js";
import { valueText } from "../water/value-text.js";
import { joined, mark, plain, strong } from "../words/sentence.js";

/** The clock of a device may be ahead by so much, and no silence is shorter. */
const mostAhead = 5 * 60_000;

/** @type {import("./index.js").Kind} */
export const silence = {
    name: "silence",
    isOfProbe: true,
    // A silent parameter shows by the time of its last value.
    isOfDevice: ({ parameter = null }) => parameter === null,
    // While it is not connected, the time is that at which the connection ended.
    isShown: ({ online, silentSince }, { state, since = "" }) =>
        silentSince !== null && (state !== "open" || online === false || Date.parse(silentSince) === Date.parse(since)),
    // A temperature that is silent may have lost its probe to another one.
    mayBeReplaced: ({ parameter }) => parameter === "temperature",
    reasons: () => "silence",
    shape: () => "silent",
    // Nothing has been heard since of the device, or of the parameter.
    isOpen: ({ first, since }, tank, gauge) =>
        ((first.parameter === null ? heardAt(tank) : gauge?.time ?? null) ?? Infinity) <= since + mostAhead,
    told,
    steps: { gap: "silent", silent: "silent", heard: "fine" },
    found: {
        silentDevice: {
            shape: () => "silent",
            noticed: ({ t, format }, { since }, now) => t("home.silentDevice", { span: format.brief(now - since) }),
            word: ({ t, format }, { since }, now) => t("home.state_deviceSilent", { span: format.brief(now - since) }),
            headline(voice, { finding, measured }, { now }) {
                const { t, format } = voice;
                if (!finding || measured === 0) {
                    return { headline: t("home.silentDevice_never"), reason: plain(t("home.silentDevice_neverReason")) };
                }
                return {
                    headline: t("home.silentDevice", { span: format.brief(now - finding.since) }),
                    reason: plain(joined(
                        voice,
                        hintText(voice, finding.hint),
                        t("home.silentDevice_reason", { time: format.moment(finding.since, now) }),
                    )),
                };
            },
        },
        silent: {
            shape: () => "silent",
            noticed: ({ t, format }, { gauge, since }, now) => t(`water.${gauge?.name}_silentFor`, { span: format.brief(now - since) }),
            word: ({ t }, { gauge }) => t(`water.${gauge?.name}_silent`),
            headline(voice, { finding }, { now }) {
                const { t, format } = voice;
                const gauge = finding?.gauge;
                if (!gauge) return { headline: "", reason: [] };
                return {
                    headline: t(`water.${gauge.name}_silent`),
                    reason: strong(t("home.silent_reason", { span: format.brief(now - finding.since), value: mark }), valueText(voice, gauge)),
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
function told(voice, { first, alerts, since, until }, { now, isNow }) {
    const { t, format } = voice;
    // The end does not tell how the device was connected meanwhile.
    const last = alerts.find(({ purpose }) => purpose !== "recovery");
    const { parameter } = first;
    const where = last?.anotherProbe ? "another" : parameter ? "others" : last?.checkProbe ? "connected" : "cutOff";
    const action = where === "others" ? `water.${parameter}_probe` : `alerts.silence_${where}Action`;
    /** @type {[string, string][]} */
    const facts = [[t("alerts.fact_heard"), format.moment(since, now)]];
    if (first.purpose === "alarm") facts.push([t("alerts.fact_noticed"), format.moment(Date.parse(first.eventTime), now)]);
    if (until !== null) facts.push([t("alerts.fact_again"), format.moment(until, now)]);
    const { outage = null } = last ?? {};
    if (outage) facts.push([t("alerts.fact_outage"), outageText(t, outage)]);
    return {
        name: parameter
            ? isNow ? t(`water.${parameter}_silent`) : t("alerts.silence_of", { name: t(`water.${parameter}_full`) })
            : t("alerts.silence"),
        detail: [first.device?.name ?? "", ...(last ? [t(`alerts.silence_${where}`)] : [])].join(" · "),
        action: last ? joined(voice, hintText(voice, last.silenceHint), t(action)) : "",
        facts,
    };
}

/**
 * With which devices it fell silent at once.
 * @param {import("./index.js").Voice["t"]} t
 * @param {import("../water/alerts.js").Outage} outage
 */
function outageText(t, { project, devices }) {
    return project === null ? t("alerts.outage", { count: devices }) : t("alerts.outage_of", { count: devices, name: project });
}
