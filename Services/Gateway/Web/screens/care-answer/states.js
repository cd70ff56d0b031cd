/** What the page of a reminders' link shows, by how what it asked to be done stands. */

import { createButton } from "../../components/button/button.js";
import { createDone } from "../../components/link-page/link-page.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { h } from "../../page/dom.js";
import { clockText } from "../../water/care-words.js";
import { dateOf, dayAt } from "../../water/civil.js";
import { joined, listed } from "../../words/sentence.js";
import { actorsOf, isDone, standingOf } from "./standing.js";

/** @typedef {import("../../words/format.js").Voice} Voice */
/** @typedef {import("./standing.js").ToldItem} ToldItem */
/** @typedef {'done' | 'tomorrow'} CareReply */
/** @typedef {{items: readonly ToldItem[], language: string}} Told As the service tells it. */

/**
 * @param {Voice} voice
 * @param {Told} told
 * @param {import("../../components/link-page/link-page.js").Surroundings<CareReply>} surroundings
 * @returns {import("../../components/link-page/link-page.js").LinkState}
 */
export function stateOf(voice, { items }, { now, isIn, replied, reply }) {
    const { t } = voice;
    const row = (/** @type {ToldItem} */ item) => createRow({ name: item.name, detail: dueText(voice, item, now), more: outcomeOf(voice, item, now) }).element;
    const rows = createList(...items.map(row));
    const links = createList(createRow({ name: t("care.answer_all"), href: "/care", isAction: true }).element);
    const plain = { isAlarm: false, top: [], body: [rows, links] };
    /** @param {CareReply} answer @param {'primary' | 'quiet'} kind */
    const button = (answer, kind) =>
        createButton({ text: t(`care.answer_${answer}`), kind, isLarge: kind === "primary", press: () => reply(answer) }).element;
    switch (standingOf(items)) {
        case "ask": {
            const count = items.filter(({ isOpen }) => isOpen).length;
            const note = isIn ? t("care.answer_link") : joined(voice, t("answers.stranger"), t("care.answer_link"));
            const card = h("div", { class: "link-card surface" }, button("done", "primary"), button("tomorrow", "quiet"), h("p", { class: "start-note" }, note));
            const [one] = items;
            if (items.length === 1) return { ...plain, headline: one.name, lead: dueText(voice, one, now), body: [card, links] };
            return { ...plain, headline: t("care.todo", { count }), lead: t("care.answer_each"), body: [rows, card, links] };
        }
        case "others": {
            const names = actorsOf(items).map((name) => name ?? t("care.somebody"));
            const isFaster = replied !== null && names.length === 1;
            const headline = isDone(items) ? t("care.answer_by", { name: listed(voice, names) }) : t("answers.over");
            return { ...plain, headline, lead: isFaster ? t("answers.faster", { name: names[0] }) : t("answers.over_text") };
        }
        case "yours":
            return { ...plain, top: [createDone()], headline: t(isDone(items) ? "care.answer_done" : "answers.over"), lead: t("answers.over_text") };
        case "later":
            return { ...plain, headline: t("care.answer_later"), lead: t("answers.over_text") };
        case "over":
            return { ...plain, headline: t("answers.over"), lead: t("answers.over_text") };
    }
}

/**
 * Where something is to be done, and when it was due by the clock there.
 * @param {Voice} voice
 * @param {ToldItem} item
 * @param {number} now
 */
function dueText(voice, { tank, on }, now) {
    const { t, format } = voice;
    const [date, clock] = on.split("T");
    const time = clockText(voice, clock);
    const isToday = date === dateOf(dayAt(now, format.zone));
    const day = new Intl.DateTimeFormat(format.locale, { timeZone: "UTC", weekday: "long", day: "numeric", month: "long" });
    const when = isToday ? t("care.today_at", { time }) : `${day.format(new Date(`${date}T00:00:00Z`))}, ${time}`;
    return t("care.answer_due", { tank, when });
}

/**
 * The line that says what became of something; none of what is open.
 * @param {Voice} voice
 * @param {ToldItem} item
 * @param {number} now
 * @returns {string[]}
 */
function outcomeOf({ t, format }, { isOpen, what, by, isYou, until }, now) {
    if (isOpen) return [];
    if (what === null) return [t("answers.over")];
    const did = what === "later" && until !== null ? t("care.answer_until", { time: format.placed(Date.parse(until), now) }) : t(`care.act_${what}`);
    return [`${did} · ${isYou ? t("care.you") : by ?? t("care.somebody")}`];
}
