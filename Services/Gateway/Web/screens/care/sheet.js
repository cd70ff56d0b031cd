/** All that can be done about an occurrence of a reminder. */

import { randomKey } from "../../app/api.js";
import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { h } from "../../page/dom.js";
import { workOf } from "../../water/care.js";
import { clockText, dayWord, personText } from "../../water/care-words.js";
import { dateOf, dayAt, dayOf, instantAt } from "../../water/civil.js";
import { timeOf } from "../../water/quiet.js";
import { datesOf, rhythmText } from "../../water/rhythm.js";
import { civil } from "../../words/time.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../water/care.js").Item} Item */

/** Alerts wait so long for work on the water, in minutes. */
const workMinutes = 30;

/**
 * @param {Context} context
 * @param {import("../../app/care.js").Care} care
 * @param {import("./doing.js").Doing} doing
 * @param {Item} item
 */
export function openItem(context, care, doing, item) {
    const { t, format } = context;
    const { reminder, occurrence } = item;
    const now = Date.now();
    const tank = doing.tankOf(reminder.device);
    const who = (reminder.who ?? []).map((by) => personText(context, by)).join(", ");
    const { pending } = occurrence;
    const sheet = context.sheet({
        title: reminder.name,
        lead: [tank, rhythmText(context, reminder.rhythm), clockText(context, reminder.at), who].filter((part) => part !== "").join(" · "),
        body: pending?.state === "refused" ? refusal() : doing.isLookedAt(reminder.device) ? looks() : item.isOpen ? choices() : past(),
    });

    /** @param {() => unknown} run */
    function choose(run) {
        sheet.close();
        void run();
    }

    function choices() {
        const later = laterOf(item, now);
        const next = nextOf(item);
        const work = workOf(reminder);
        return [
            h(
                "div",
                { class: "care-choices" },
                createButton({ text: t("care.do_now"), kind: "primary", isLarge: true, press: () => choose(() => doing.act(item, "done")) }).element,
                work ? createButton({ text: t("care.do_start", { count: workMinutes }), isLarge: true, press: () => start(work) }).element : null,
            ),
            createList(
                createRow({ name: t("care.do_earlier"), icon: "clock", value: t("care.do_earlier_value"), press: () => choose(() => askWhen(context, doing, item)) }).element,
                createRow({
                    name: t("care.do_later"),
                    icon: "moon",
                    value: `${dayWord(context, later, now)}, ${format.clock(later)}`,
                    press: () => choose(() => doing.act(item, "later", { until: later })),
                }).element,
                createRow({
                    name: t("care.do_skip"),
                    icon: "minus",
                    value: next === null ? "" : t("care.do_skip_value", { day: dayWord(context, next, now) }),
                    press: () => choose(() => doing.act(item, "skipped")),
                }).element,
                change(),
            ),
        ];
    }

    /** Who only looks is told, and offered nothing. */
    function looks() {
        return [h("p", null, item.isOpen ? `${dayWord(context, item.time, now)}, ${format.clock(item.time)}` : pastText()), h("p", { class: "quiet" }, t("projects.only_look"))];
    }

    function pastText() {
        const { state, actedAt, by } = occurrence;
        const at = actedAt ? format.at(Date.parse(actedAt), now) : "";
        return state === "missed" ? t("care.missed_text", { at: format.at(item.time, now) }) : t(`care.past_${state}`, { at, who: personText(context, by) || t("care.somebody") });
    }

    function past() {
        const { act } = occurrence;
        return [
            h("p", null, pastText()),
            createList(
                act === null ? null : createRow({ name: t("care.undo_act"), icon: "close", press: () => choose(() => doing.undo(item)) }).element,
                change(),
            ),
        ];
    }

    /** The service did not take it: it is sent once more, or given up. */
    function refusal() {
        const row = { seq: pending?.seq ?? 0 };
        return [
            h("p", null, t("care.refused", { reason: pending?.reason ?? "" })),
            h(
                "div",
                { class: "buttons" },
                createButton({ text: t("common.retry"), kind: "primary", press: () => choose(() => care.retry(row)) }).element,
                createButton({ text: t("care.giveUp"), press: () => choose(() => care.giveUp(row)) }).element,
            ),
        ];
    }

    function change() {
        return createRow({ name: t("care.change"), icon: "pencil", press: () => choose(() => context.navigate(`/care/reminders/${reminder.id}`)) }).element;
    }

    /** @param {string} kind */
    async function start(kind) {
        try {
            await context.api.put(`/devices/${encodeURIComponent(reminder.device)}/work/${randomKey()}`, { kind, minutes: workMinutes });
        } catch (error) {
            return void context.toast({ text: context.explain(error) });
        }
        sheet.close();
        context.toast({ text: t("care.started", { tank, time: format.placed(now + workMinutes * 60_000, now) }) });
    }
}

/**
 * The same time tomorrow.
 * @param {Item} item
 * @param {number} now
 */
function laterOf({ reminder }, now) {
    return instantAt(dayAt(now, reminder.zone) + 1, reminder.at, reminder.zone);
}

/**
 * When it is to be done next, where that is known.
 * @param {Item} item
 */
function nextOf({ reminder, occurrence }) {
    const { rhythm, startsOn, zone, at } = reminder;
    const day = dayOf(occurrence.on);
    if ("afterDone" in rhythm) return instantAt(Math.max(day, dayAt(Date.now(), zone)) + rhythm.afterDone, at, zone);
    const from = dateOf(Math.max(day, dayAt(Date.now(), zone)) + 1);
    const [next] = datesOf(rhythm, startsOn, 1, from);
    return next === undefined ? null : instantAt(dayOf(next), at, zone);
}

/**
 * Asks when it was done.
 * @param {Context} context
 * @param {import("./doing.js").Doing} doing
 * @param {Item} item
 */
function askWhen({ t, format, sheet: open }, doing, item) {
    const now = Date.now();
    const first = Math.min(item.time, now - 3_600_000);
    const { hour, minute } = civil(first, format.zone);
    const date = createField({ label: t("care.when_day"), name: "day", type: "date", value: dateOf(dayAt(first, format.zone)) });
    const time = createField({ label: t("care.when_time"), name: "time", type: "time", value: timeOf(hour * 60 + minute) });
    const button = createButton({ text: t("care.when_do"), kind: "primary", isLarge: true, isSubmit: true });
    const form = h("form", { class: "form", novalidate: true }, date.element, time.element, button.element);
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        const at = date.value && time.value ? instantAt(dayOf(date.value), time.value, format.zone) : NaN;
        if (!(at <= Date.now())) return time.setFault({ what: t("care.when_ahead") });
        sheet.close();
        void doing.act(item, "done", { at });
    });
    const sheet = open({ title: t("care.do_earlier"), lead: item.reminder.name, body: [form] });
}
