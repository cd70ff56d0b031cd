/** A device where several are listed: its name, and how it is in a word. */

import { standingOf } from "../../water/headline.js";
import { shortSnoozedText } from "../snooze/snooze.js";

/** @typedef {import("../../app/context.js").Context} Context */

/**
 * @param {Context} context
 * @param {import("../../water/headline.js").Tank} tank
 * @param {number} now
 * @param {boolean} isCurrent
 * @returns {import("../air/air.js").AirDevice & {state: string, isWaiting: boolean, isSnoozed: boolean, standing: import("../../water/headline.js").GaugeState}}
 *     Waiting: it was never heard. Snoozed: its worst thing is.
 */
export function deviceModel(context, tank, now, isCurrent) {
    const { t, format } = context;
    const { state, finding } = standingOf(tank, now);
    const gauge = finding?.gauge;
    const word = state === "low" && gauge
        ? t(`water.${gauge.name}_lowShort`)
        : state === "high" && gauge
        ? t(`water.${gauge.name}_highShort`)
        : state === "fault" && gauge
        ? t(`water.${gauge.name}_probe`)
        : state === "silent" && finding
        ? gauge ? t(`water.${gauge.name}_silent`) : t("home.state_deviceSilent", { span: format.brief(now - finding.since) })
        : state === "waiting"
        ? t("home.state_waiting")
        : t("home.state_fine");
    const snoozed = finding?.isSnoozed ? gauge?.snoozed ?? null : null;
    const told = snoozed ? `${word} · ${shortSnoozedText(context, snoozed, now)}` : word;
    return {
        id: tank.id,
        name: tank.name,
        shape: snoozed ? "snoozed" : state === "fine" || state === "waiting" ? null : state,
        label: t("home.device", { name: tank.name, state: told }),
        isCurrent,
        isWaiting: state === "waiting",
        isSnoozed: snoozed !== null,
        state: told,
        standing: state,
    };
}
