/** Calls: alarms of somebody else's, of whatever kind, that nobody answers. Limits in them are the other's. */

import { hasCalled } from "../water/alerts.js";

/** @typedef {import("./index.js").Kind} Kind */

/** A call of whose end nothing was told is taken to have lasted so long. */
const lasts = 24 * 60 * 60_000;
/** @type {Map<Kind, Kind>} */
const made = new Map();

/**
 * A kind as it is told to those who are called.
 * @param {Kind} kind
 * @returns {Kind}
 */
export function calledOf(kind) {
    const called = made.get(kind) ?? make(kind);
    made.set(kind, called);
    return called;
}

/**
 * @param {Kind} kind
 * @returns {Kind}
 */
function make(kind) {
    return {
        ...kind,
        isCall: true,
        past: "answered",
        // The person's own limits say nothing of somebody else's alarm.
        isOpen: ({ at, alerts, taken }, _tank, _gauge, now) => taken === null && alerts.some(hasCalled) && now - at < lasts,
        told(voice, episode, about) {
            const { t, format } = voice;
            const { first, alerts: [newest] } = episode;
            const { caller, device, unit } = first;
            const { name, detail, action, facts } = kind.told(voice, episode, about);
            const called = t("alerts.called", { name: caller ?? "" });
            if (!kind.isOfRange) return { name, detail: `${called} · ${detail}`, action, facts: kind.isOfProbe ? facts : [] };
            const decimals = newest.decimals ?? about.decimals ?? 1;
            /** @param {number | null} value */
            const text = (value) => format.withUnit(format.number(value, decimals), unit ?? "");
            const value = newest.value ?? first.value;
            /** @type {import("./index.js").Fact[]} */
            const own = about.shown === undefined ? [] : [
                [t("alerts.called_value"), text(value), about.isRed],
                [t(first.side === "low" ? "alerts.called_low" : "alerts.called_high", { name: caller ?? "" }), text(first.limit)],
            ];
            return { name, detail: [called, device?.name ?? "", text(value)].join(" · "), action, facts: own };
        },
    };
}
