/** What was sent of an alert, to whom and how fast, and what each change of its episode came to. */

import { createShape } from "../../components/shape/shape.js";
import { kindOf } from "../../kinds/index.js";
import { wordOf } from "../../lang/index.js";
import { h } from "../../page/dom.js";

/** @typedef {Pick<import("../../app/context.js").Context, "t" | "format">} Context */
/** @typedef {import("../../water/alerts.js").Alert} Alert */
/** @typedef {{startedAt: string, durationMilliseconds: number, outcome: string, status: number | null}} Attempt */
/** @typedef {{endpoint: number, host: string | null, state: string, endedAt: string | null, nextAttemptAt: string | null, attempts: Attempt[]}} Delivery */
/** @typedef {Alert & {reasons: import("../../water/alerts.js").Reason[], deliveries: Delivery[]}} Explained */

/**
 * @param {Context} context
 * @param {readonly Explained[]} told
 */
export function sent(context, told) {
    const { t, format } = context;
    return [
        h("h2", { class: "section-head" }, t("alerts.sent")),
        h(
            "ol",
            { class: "told told-marked surface" },
            ...told.map((alert) =>
                h(
                    "li",
                    null,
                    h("span", { class: "told-time" }, format.clock(Date.parse(alert.decidedAt))),
                    h("span", { class: kindOf(alert).isOfRange ? "told-mark" : "told-mark told-quiet" }, createShape(markOf(alert))),
                    h(
                        "div",
                        null,
                        h("p", { class: "told-what" }, wordOf(t, "alerts.purpose", alert.purpose)),
                        h("p", { class: "small quiet" }, alert.text),
                        ...(alert.deliveries.length === 0
                            ? [h("p", { class: "small quiet" }, wordOf(t, "alerts.state", alert.state))]
                            : alert.deliveries.map((delivery) => h("p", { class: "small quiet" }, deliveryText(context, alert, delivery)))),
                    ),
                )
            ),
        ),
    ];
}

/**
 * @param {Alert} alert
 * @returns {import("../../components/shape/shape.js").ShapeName}
 */
function markOf(alert) {
    if (alert.purpose === "recovery" || alert.purpose === "past") return "fine";
    if (alert.purpose === "ended") return "offline";
    const kind = kindOf(alert);
    return alert.purpose === "alarm" || !kind.isOfRange ? kind.shape(alert) : "live";
}

/**
 * @param {Context} context
 * @param {Alert} alert
 * @param {Delivery} delivery
 */
function deliveryText({ t, format }, alert, { host, state, endedAt, nextAttemptAt, attempts }) {
    const place = host ?? t("alerts.place_gone");
    const count = attempts.length;
    const last = attempts.at(-1);
    if (state === "accepted" && endedAt) {
        const span = format.number(Math.max(0, Date.parse(endedAt) - Date.parse(alert.decidedAt)) / 1000, 1);
        return t(count > 1 ? "alerts.delivery_acceptedLate" : "alerts.delivery_accepted", { place, span, count });
    }
    if (state === "pending") {
        return nextAttemptAt && count > 0
            ? t("alerts.delivery_retry", { place, status: last?.status ?? t("alerts.noAnswer"), at: format.at(Date.parse(nextAttemptAt)) })
            : t("alerts.delivery_pending", { place });
    }
    const text = wordOf(t, "alerts.delivery", state, { place, count });
    return text === state ? `${place}: ${state}` : text;
}

/**
 * The stored reasons, where no explanation is to be had.
 * @param {Context} context
 * @param {Explained} alert
 */
export function reasons({ t, format }, alert) {
    const { reasons: all } = alert;
    if (all.length === 0) return [];
    const what = kindOf(alert).reasons?.(alert);
    /** @param {string} reason */
    const section = (reason) => what && t.has(`alerts.${what}_${reason}`) ? `alerts.${what}` : "alerts.reason";
    return [
        h("h2", { class: "section-head" }, t("alerts.why")),
        h(
            "ol",
            { class: "told surface" },
            ...all.map((reason) =>
                h(
                    "li",
                    null,
                    h("span", { class: "told-time" }, format.clock(Date.parse(reason.eventTime))),
                    h(
                        "div",
                        null,
                        h("p", { class: "told-what" }, wordOf(t, section(reason.reason), reason.reason)),
                        h("p", { class: "small quiet" }, wordOf(t, "alerts.notification", reason.notification)),
                    ),
                )
            ),
        ),
    ];
}
