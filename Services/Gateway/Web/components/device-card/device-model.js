/** A device where several are listed: its name, and how it is in a word. */

import { wordsOf } from "../../kinds/index.js";
import { shortAnsweredText } from "../../water/answers.js";
import { standingOf } from "../../water/headline.js";
import { shortSnoozedText } from "../../water/snoozes.js";
import { testedText } from "../../water/tested.js";

/** @typedef {import("../../app/context.js").Context} Context */

/**
 * @param {Context} context
 * @param {import("../../water/headline.js").Tank} tank
 * @param {number} now
 * @param {boolean} isCurrent
 * @returns {import("../air/air.js").AirDevice & {state: string, brief: string, isWaiting: boolean, isSnoozed: boolean, isAnswered: boolean, standing: import("../../water/headline.js").Standing}}
 *     Waiting: it was never heard. Snoozed, answered: its worst thing is. Brief: its state without who is on it.
 */
export function deviceModel(context, tank, now, isCurrent) {
    const { t } = context;
    const { state, finding } = standingOf(tank, now);
    const gauge = finding?.gauge;
    const word = finding
        ? wordsOf(finding)?.word(context, finding, now) ?? ""
        : state === "byHand"
        ? testedText(context, tank.site?.testedAt, now)
        : t(state === "worked" ? "work.on" : state === "waiting" ? "home.state_waiting" : "home.state_fine");
    const snoozed = finding?.isSnoozed ? gauge?.snoozed ?? null : null;
    const answered = snoozed ? null : finding?.answered ?? null;
    const more = snoozed ? shortSnoozedText(context, snoozed, now) : answered ? shortAnsweredText(context, answered) : "";
    const told = more === "" ? word : `${word} · ${more}`;
    return {
        id: tank.id,
        name: tank.name,
        shape: snoozed ? "snoozed" : answered ? "answered" : state === "fine" || state === "waiting" ? null : state,
        label: t("home.device", { name: tank.name, state: told }),
        isCurrent,
        isWaiting: state === "waiting",
        isSnoozed: snoozed !== null,
        isAnswered: answered !== null,
        state: told,
        brief: answered ? word : told,
        standing: state,
    };
}
