/**
 * Who is on it: answers to alarms, as the service keeps them for all who share a device. What is answered is not over, and stays red; it
 * calls nobody else.
 */

import { isSame } from "./snoozes.js";

/** @typedef {import("./snoozes.js").Subject} Subject */
/** @typedef {import("../words/format.js").Voice} Voice */

/**
 * @typedef {object} Answer
 * @property {string} device
 * @property {string} kind Of the alerts that are answered.
 * @property {string | null} parameter null for the silence of a whole device.
 * @property {import("./ranges.js").Side | null} side null unless of kind range.
 * @property {string} name Of the person who is on it.
 * @property {boolean} isYou
 * @property {string} since
 * @property {string} until No reminder before that goes to anybody.
 * @property {string | null} solvedAt When they said that it is solved.
 */

/** @typedef {{name: string, isYou: boolean, since: number, until: number, solvedAt: number | null}} Answered */
/** @typedef {'onIt' | 'solved' | 'cannot'} Reply What a person says to an alarm. */

/**
 * @param {Pick<Answer, "name" | "isYou" | "since" | "until" | "solvedAt">} answer
 * @returns {Answered}
 */
export function answeredOf({ name, isYou, since, until, solvedAt }) {
    return { name, isYou, since: Date.parse(since), until: Date.parse(until), solvedAt: solvedAt === null ? null : Date.parse(solvedAt) };
}

/**
 * Who is on a subject now; null where nobody is, or their time has passed.
 * @param {readonly Answer[]} answers
 * @param {Subject} subject
 * @param {number} now
 * @returns {Answered | null}
 */
export function answerOf(answers, subject, now) {
    const found = answers.find((answer) => isSame(answer, subject));
    return found && now < Date.parse(found.until) ? answeredOf(found) : null;
}

/**
 * What is left when an episode is over: each answer ends with its own.
 * @param {readonly Answer[]} answers
 * @param {Pick<Subject, "device" | "kind" | "parameter">} episode
 */
export function afterEpisode(answers, { device, kind, parameter }) {
    return answers.filter((answer) => !(answer.kind === kind && answer.device === device && answer.parameter === parameter));
}

/**
 * With this one in the place of any other of the same subject.
 * @param {readonly Answer[]} answers
 * @param {Subject} subject
 * @param {Answer | null} next
 */
export function replaced(answers, subject, next) {
    const others = answers.filter((answer) => !isSame(answer, subject));
    return next ? [...others, next] : others;
}

/**
 * What the person can still say: only their own answer is theirs to end.
 * @param {Answered | null} answered
 * @returns {readonly Reply[]}
 */
export function repliesTo(answered) {
    if (answered === null) return ["onIt"];
    if (!answered.isYou) return [];
    return answered.solvedAt === null ? ["solved", "cannot"] : ["cannot"];
}

/**
 * Who is on it, and since when, in words.
 * @param {Voice} voice
 * @param {Answered} answered
 * @param {number} now
 */
export function answeredText({ t, format }, { name, isYou, since, solvedAt }, now) {
    if (solvedAt !== null) return t(isYou ? "answers.solvedByYou" : "answers.solvedBy", { name, clock: format.clock(solvedAt) });
    return isYou ? t("answers.yours") : t("answers.since", { name, time: format.placed(since, now) });
}

/**
 * The same where there is little room.
 * @param {Pick<Voice, "t">} voice
 * @param {Answered} answered
 */
export function shortAnsweredText({ t }, { name, isYou, solvedAt }) {
    if (solvedAt !== null) return t(isYou ? "answers.solvedShortYours" : "answers.solvedShort", { name });
    return t(isYou ? "answers.yours" : "answers.short", { name });
}

/**
 * The first letter of a name.
 * @param {string} name
 */
export function initialOf(name) {
    const [first = ""] = name.trim();
    return first.toLocaleUpperCase();
}

/** @typedef {'ask' | 'yours' | 'others' | 'snoozed' | 'over'} LinkState What the page of a signed link shows. */

/**
 * @param {{isOver: boolean, onIt: Pick<Answer, "isYou"> | null, snoozedUntil: string | null}} told As the service tells it.
 * @param {number} now
 * @returns {LinkState}
 */
export function linkStateOf({ isOver, onIt, snoozedUntil }, now) {
    if (isOver) return "over";
    if (onIt) return onIt.isYou ? "yours" : "others";
    return snoozedUntil !== null && now < Date.parse(snoozedUntil) ? "snoozed" : "ask";
}
