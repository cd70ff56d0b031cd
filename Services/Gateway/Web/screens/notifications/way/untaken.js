/** The alerts that a way did not take, each with the reason, and leading to what became of it. */

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
 * @param {Pick<Context, "t">} context
 * @param {Untaken} untaken
 */
function reasonOf({ t }, { delivery, outcome, status }) {
    if (status !== null) return t("ways.reason_status", { status });
    if (outcome !== null && outcome !== "refused") return t("ways.reason_silent");
    return t(delivery === "stale" ? "ways.reason_late" : "ways.reason_unsent");
}
