/** What was sent of an alert, to whom and how fast, and what each change of its episode came to. */

import { createShape } from "../../components/shape/shape.js";
import { kindOf } from "../../kinds/index.js";
import { wordOf } from "../../lang/index.js";
import { h } from "../../page/dom.js";
import { isBroken, nameOfStep } from "../../water/chain.js";

/** @typedef {Pick<import("../../app/context.js").Context, "t" | "format">} Context */
/** @typedef {import("../../water/alerts.js").Alert} Alert */
/** @typedef {{startedAt: string, durationMilliseconds: number, outcome: string, status: number | null}} Attempt */
/** @typedef {{endpoint: number, host: string | null, state: string, endedAt: string | null, arrivedAt?: string | null, nextAttemptAt: string | null, attempts: Attempt[]}} Delivery */
/** @typedef {{name: string | null, isYou: boolean, isWay: boolean, endpoint: number | null}} Called Whose turn a step is; isWay: one of their endpoints. No name: the person's own. */
/** @typedef {Called & {at: string, after: number, outcome: string}} Call One step of the chain. */
/** @typedef {{items: Call[], next: (Called & {at: string}) | null, heldUntil: string | null}} Calls */
/** @typedef {Alert & {reasons: import("../../water/alerts.js").Reason[], deliveries: Delivery[], calls?: Calls | null, onShift?: string[]}} Explained A service of before tells of no calls and no shifts. */

/** @typedef {{time: number | null, shape: import("../../components/shape/shape.js").ShapeName, isLoud: boolean, what: string, more: string[]}} Line */

/**
 * Messages to the person and calls to others, one after the other; then the next call.
 * @param {Context} context
 * @param {readonly Explained[]} told
 * @param {readonly import("../../water/chain.js").Way[] | null} ways The person's own endpoints.
 */
export function sent(context, told, ways) {
    const { t, format } = context;
    const lines = [...told.map((alert) => messageLine(context, alert)), ...callLines(context, told, ways)];
    lines.sort((one, other) => (one.time ?? Infinity) - (other.time ?? Infinity));
    return [
        h("h2", { class: "section-head" }, t("alerts.sent")),
        h(
            "ol",
            { class: "told told-marked surface" },
            ...[...lines, ...aheadLines(context, told, ways)].map(({ time, shape, isLoud, what, more }) =>
                h(
                    "li",
                    null,
                    h("span", { class: "told-time" }, time === null ? "" : format.clock(time)),
                    h("span", { class: isLoud ? "told-mark" : "told-mark told-quiet" }, createShape(shape)),
                    h("div", null, h("p", { class: "told-what" }, what), ...more.map((text) => h("p", { class: "small quiet" }, text))),
                )
            ),
        ),
    ];
}

/**
 * @param {Context} context
 * @param {Explained} alert
 * @returns {Line}
 */
function messageLine(context, alert) {
    const { t } = context;
    return {
        time: Date.parse(alert.decidedAt),
        shape: markOf(alert),
        isLoud: kindOf(alert).isOfRange ?? false,
        what: wordOf(t, "alerts.purpose", alert.purpose),
        more: [
            alert.text,
            ...(alert.deliveries.length === 0
                ? [wordOf(t, "alerts.state", alert.state)]
                : alert.deliveries.map((delivery) => deliveryText(context, alert, delivery))),
            ...alert.onShift?.length ? [t("alerts.onShift", { names: new Intl.ListFormat(context.format.locale).format(alert.onShift) })] : [],
        ],
    };
}

/**
 * The calls of an episode: each of its alerts may tell of them.
 * @param {Context} context
 * @param {readonly Explained[]} told
 * @param {readonly import("../../water/chain.js").Way[] | null} ways
 * @returns {Line[]}
 */
function callLines(context, told, ways) {
    /** @type {Map<string, Call>} */
    const calls = new Map();
    for (const { calls: known } of told) {
        /** How often each was met in this alert: two people may have one name. @type {Map<string, number>} */
        const met = new Map();
        for (const call of known?.items ?? []) {
            const key = JSON.stringify([call.at, call.name, call.isYou, call.isWay, call.endpoint]);
            const count = met.get(key) ?? 0;
            met.set(key, count + 1);
            calls.set(`${key} ${count}`, call);
        }
    }
    return [...calls.values()].map((call) => ({
        time: Date.parse(call.at),
        shape: call.outcome === "told" ? "fine" : isBroken(call.outcome) ? "fault" : "snoozed",
        isLoud: false,
        what: calledName(context, call, ways),
        more: [wordOf(context.t, "chain.outcome", call.outcome)],
    }));
}

/**
 * The next call, and until when the chain rests.
 * @param {Context} context
 * @param {readonly Explained[]} told
 * @param {readonly import("../../water/chain.js").Way[] | null} ways
 * @returns {Line[]}
 */
function aheadLines(context, told, ways) {
    const { t, format } = context;
    const { next = null, heldUntil = null } = told.findLast(({ calls }) => calls)?.calls ?? {};
    /** @type {Omit<Line, "time" | "what">} */
    const plain = { shape: "snoozed", isLoud: false, more: [] };
    return [
        ...heldUntil === null ? [] : [{ ...plain, time: null, what: t("alerts.call_held", { time: format.placed(Date.parse(heldUntil)) }) }],
        ...next === null
            ? []
            : [{ ...plain, shape: /** @type {const} */ ("silent"), time: Date.parse(next.at), what: t("alerts.call_next", { name: calledName(context, next, ways) }) }],
    ];
}

/**
 * @param {Context} context
 * @param {Called} called
 * @param {readonly import("../../water/chain.js").Way[] | null} ways
 */
function calledName(context, { name, isYou, isWay, endpoint }, ways) {
    const { t } = context;
    if (isYou || name === null) return isWay ? nameOfStep(context, { person: null, endpoint }, ways) : t("chain.you");
    return isWay ? t("alerts.call_way", { name }) : name;
}

/**
 * Whether somebody was to be called by now.
 * @param {readonly Explained[]} told
 * @param {number} now
 */
export function isCallDue(told, now) {
    return told.some(({ calls }) => [calls?.next?.at, calls?.heldUntil].some((time) => typeof time === "string" && Date.parse(time) <= now));
}

/**
 * @param {Alert} alert
 * @returns {import("../../components/shape/shape.js").ShapeName}
 */
function markOf(alert) {
    if (alert.purpose === "recovery" || alert.purpose === "past") return "fine";
    if (alert.purpose === "ended") return "offline";
    if (alert.purpose === "calledOff") return "answered";
    const kind = kindOf(alert);
    return alert.purpose === "alarm" || alert.purpose === "escalation" || !kind.isOfRange ? kind.shape(alert) : "live";
}

/**
 * @param {Context} context
 * @param {Alert} alert
 * @param {Delivery} delivery
 */
function deliveryText({ t, format }, alert, { host, state, endedAt, arrivedAt, nextAttemptAt, attempts }) {
    const place = host ?? t("alerts.place_gone");
    const count = attempts.length;
    const last = attempts.at(-1);
    const spanUntil = (/** @type {string} */ time) => format.number(Math.max(0, Date.parse(time) - Date.parse(alert.decidedAt)) / 1000, 1);
    // The phone's own word is more than a server's.
    if (arrivedAt) return t("alerts.delivery_arrived", { place, span: spanUntil(arrivedAt) });
    if (state === "accepted" && endedAt) {
        const span = spanUntil(endedAt);
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
