/** What the page of an alert's link shows, by how the alert stands. */

import { createButton } from "../../components/button/button.js";
import { createDone } from "../../components/link-page/link-page.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { onItModel } from "../../components/on-it/on-it.js";
import { h } from "../../page/dom.js";
import { answeredOf, answeredText, linkStateOf, repliesTo } from "../../water/answers.js";
import { joined } from "../../words/sentence.js";

/** @typedef {import("../../words/format.js").Voice} Voice */
/** @typedef {import("../../water/answers.js").Reply | 'snooze'} LinkReply */

/**
 * @typedef {object} Told As the service tells it, in the language of whoever the link was sent to.
 * @property {string} title
 * @property {string} text
 * @property {string | null} device
 * @property {boolean} isOver
 * @property {string} you The name of whoever the link was sent to.
 * @property {string} sentAt
 * @property {string} until When the link ends.
 * @property {Pick<import("../../water/answers.js").Answer, "name" | "isYou" | "since" | "until" | "solvedAt"> | null} onIt
 * @property {string | null} snoozedUntil
 * @property {readonly string[]} others Who else shares the device.
 * @property {readonly string[]} [together] Titles of the message's other alerts that go on and are answered as well; an older service tells none.
 * @property {string} said One sentence on how it stands.
 * @property {string} language
 */

/** Titles that stand without scrolling: a digest's many leave the buttons within reach. */
const SHORT = 5;

/**
 * @param {Voice} voice
 * @param {Told} told
 * @param {import("../../components/link-page/link-page.js").Surroundings<LinkReply>} surroundings
 * @returns {import("../../components/link-page/link-page.js").LinkState}
 */
export function stateOf(voice, told, { now, isIn, reply }) {
    const { t, format } = voice;
    const { title, text, device, onIt, you, together = [] } = told;
    const answered = onIt && answeredOf(onIt);
    const place = device === null || title.includes(device) ? [] : [h("p", { class: "name" }, device)];
    const until = format.placed(Date.parse(told.until), now);
    const about = h("div", { class: "answer-about" }, h("h2", { class: "title" }, title), h("p", null, text), togetherList(voice, together));
    const links = createList(createRow({ name: t(isIn ? "alerts.all" : "answers.graph"), href: "/alerts", isAction: true }).element);
    const limited = h("p", { class: "rows-note" }, t(together.length > 0 ? "answers.limited_together" : "answers.limited", { until }));
    /** @param {LinkReply} answer @param {'primary' | 'quiet'} kind */
    const button = (answer, kind) =>
        createButton({ text: t(`answers.${answer}`), kind, isLarge: kind === "primary", press: () => reply(answer) }).element;
    const plain = { isAlarm: false };
    const state = linkStateOf(told, now);
    switch (state) {
        case "ask": {
            const sent = { name: you, at: format.at(Date.parse(told.sentAt), now), until };
            const note = t(together.length > 0 ? "answers.link_together" : "answers.link", sent);
            const card = h(
                "div",
                { class: "link-card surface" },
                togetherList(voice, together),
                button("onIt", "primary"),
                button("snooze", "quiet"),
                h("p", { class: "start-note" }, isIn ? note : joined(voice, t("answers.stranger"), note)),
            );
            return { isAlarm: true, top: place, headline: title, lead: text, body: [card, links] };
        }
        case "others": {
            const name = answered?.name ?? "";
            const card = h(
                "div",
                { class: "link-card surface" },
                h("p", null, h("strong", null, t("answers.faster", { name })), " ", t("answers.faster_text")),
            );
            const who = answered && onItModel(voice, answered, now);
            return { isAlarm: true, top: place, headline: title, lead: text, onIt: who, body: [card, links, limited] };
        }
        case "yours": {
            const seen = answered ? seenText(voice, told, answered, now) : "";
            const replies = repliesTo(answered).map((answer) => button(answer, "quiet"));
            const headline = answered ? answeredText(voice, answered, now) : "";
            const row = h("div", { class: "answer-row" }, ...replies);
            const held = answered && answered.solvedAt === null ? t("answers.held", { time: format.placed(answered.until, now) }) : "";
            return { ...plain, top: [createDone()], headline, lead: joined(voice, held, seen), body: [about, row, links, limited] };
        }
        case "snoozed": {
            const headline = t("answers.snoozed", { time: format.placed(Date.parse(told.snoozedUntil ?? told.until), now) });
            return { ...plain, top: place, headline, lead: t("answers.snoozed_text"), body: [about, button("onIt", "primary"), links, limited] };
        }
        case "over":
            return { ...plain, top: place, headline: t("answers.over"), lead: t("answers.over_text"), body: [links] };
    }
}

/**
 * The other alerts that the same answer is for; nothing where the message told one alone.
 * @param {Voice} voice
 * @param {readonly string[]} titles
 */
function togetherList({ t }, titles) {
    if (titles.length === 0) return null;
    const isLong = titles.length > SHORT;
    const list = h(
        "ul",
        // Whatever scrolls is within reach of the keyboard.
        { "aria-labelledby": "answer-together", "data-long": isLong, tabindex: isLong ? "0" : null },
        titles.map((title) => h("li", null, title)),
    );
    return h("div", { class: "answer-together" }, h("p", { class: "quiet", id: "answer-together" }, t("answers.together")), list);
}

/**
 * What those who share the device see of the person's answer; nobody sees it where nobody shares it.
 * @param {Voice} voice
 * @param {Told} told
 * @param {import("../../water/answers.js").Answered} answered
 * @param {number} now
 */
function seenText(voice, { others, you }, answered, now) {
    if (others.length === 0) return "";
    const names = new Intl.ListFormat(voice.t.language).format(others);
    const text = answeredText(voice, { ...answered, name: you, isYou: false }, now);
    return voice.t("answers.seen", { count: others.length, names, text });
}
