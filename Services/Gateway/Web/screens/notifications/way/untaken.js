/** The alerts that a way did not take, each with the reason, and leading to what became of it. */

import { createButton } from "../../../components/button/button.js";
import { createList, createRow } from "../../../components/list-row/list-row.js";
import { kindOf } from "../../../kinds/index.js";
import { h } from "../../../page/dom.js";
import { episodesOf } from "../../../water/alerts.js";

/** @typedef {import("../../../app/context.js").Context} Context */
/** @typedef {import("../../../water/alerts.js").Alert & {delivery: string, outcome: string | null, status: number | null}} Untaken */

/**
 * @param {Context} context
 * @param {readonly Untaken[]} untaken
 */
export function createUntaken(context, untaken) {
    const { t, store, format } = context;
    const now = Date.now();

    /** @param {Untaken} alert */
    function rowOf(alert) {
        const [episode] = episodesOf([alert]);
        const { decimals } = store.parameterOf(alert.device?.id ?? "", alert.parameter ?? "") ?? {};
        const { name } = kindOf(alert, t).told(context, episode, { now, isNow: false, decimals });
        const parts = [alert.device?.name ?? "", format.moment(Date.parse(alert.decidedAt), now), reasonOf(context, alert)];
        const detail = parts.filter((part) => part !== "").join(" · ");
        return createRow({ name, detail, shape: "fault", href: `/alerts/${encodeURIComponent(alert.id)}` }).element;
    }

    return [h("h2", { class: "section-head" }, t("ways.untaken")), createList(...untaken.map(rowOf))];
}

/**
 * A button that has what goes on sent once more; empty where nothing does.
 * @param {Pick<Context, "t">} context
 * @param {number} sendable How many of the alerts go on.
 * @param {() => Promise<void>} press
 */
export function createSendAgain({ t }, sendable, press) {
    if (sendable === 0) return "";
    return h(
        "div",
        { class: "way-again" },
        createButton({ text: t("ways.send_again"), busyText: t("notifications.sending_code"), press }).element,
        h("p", { class: "rows-note" }, t("ways.send_again_note", { count: sendable })),
    );
}

/**
 * @param {Pick<Context, "t">} context
 * @param {Untaken} untaken
 */
function reasonOf({ t }, { delivery, outcome, status }) {
    if (status !== null) return t("ways.reason_status", { status });
    if (outcome !== null && outcome !== "refused") return t("ways.reason_silent");
    return t(delivery === "stale" ? "ways.reason_late" : "ways.reason_unsent");
}
