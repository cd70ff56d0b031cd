/**
 * Chains: who is told when nobody answers an alarm of a person's, and how many minutes after it. Minutes are those since the alarm.
 */

import { initialOf } from "./answers.js";
import { listed } from "../words/sentence.js";
import { iconOf, nameOf } from "../words/endpoint-name.js";
import { civil, day, hour, instantOf, minute } from "../words/time.js";

/** @typedef {import("../words/format.js").Voice} Voice */
/** @typedef {{id: string, name: string}} Person */
/** @typedef {'no' | 'daytime' | 'always'} Agreed When a person may be alerted: daytime is not in their quiet hours. */
/**
 * The outcome if the step were due now. paused: an endpoint that is signed out for now; gone: a person or an endpoint that was removed.
 * @typedef {'told' | 'quietHours' | 'notAgreed' | 'unreachable' | 'paused' | 'gone'} Outlook
 */
/** @typedef {import("../words/endpoint-name.js").Named & {id: number, state: string}} Way An endpoint of the person's own. */

/**
 * @typedef {object} Step Names a person or an endpoint.
 * @property {number} after
 * @property {Person | null} person
 * @property {number | null} endpoint
 * @property {Agreed | null} agreed null of a person who has not answered yet, and of an endpoint.
 * @property {Outlook} outlook
 */

/**
 * @typedef {object} Last The last alarm.
 * @property {string} beganAt
 * @property {string} kind
 * @property {string | null} parameter
 * @property {'low' | 'high' | null} side
 * @property {string | null} answeredBy
 * @property {boolean} isOwn Whether the person answered it.
 * @property {number | null} answeredAfter In seconds.
 * @property {string | null} endedAt
 */

/**
 * @typedef {object} Chain
 * @property {readonly Step[]} steps
 * @property {readonly Person[]} people All others who share the device.
 * @property {Last | null} last
 * @property {string | null} tag The version of the steps.
 */
/** @typedef {{after: number, at: string, person: Person | null, endpoint: number | null, outlook: Outlook}} Rehearsed */
/** @typedef {{waitsUntil: string | null, steps: readonly Rehearsed[]}} Rehearsal waitsUntil: the end of the person's own quiet hours. */
/** @template {Way} Own @typedef {{ways: readonly Own[], isAll: boolean}} AtOnce isAll: each is a step as well, and nothing else can be told. */

export const mostSteps = 8;
export const leastMinutes = 1;
export const mostMinutes = 240;
/** Minutes that most people choose. */
export const usualMinutes = Object.freeze([5, 10, 15, 20, 30, 60]);
const stride = 5;
/** A new step comes so many minutes after the last one. */
const pause = 10;

/** @param {Pick<Step, "person" | "endpoint">} step */
export function keyOf({ person, endpoint }) {
    return person ? `person ${person.id}` : `endpoint ${endpoint}`;
}

/** @param {readonly Step[]} steps */
const ordered = (steps) => [...steps].sort((one, other) => one.after - other.after);

/** @param {number} minutes */
const bounded = (minutes) => Math.min(mostMinutes, Math.max(leastMinutes, minutes));

/**
 * A step that joins a chain some time after its last one.
 * @param {readonly Step[]} steps
 * @param {{person: Person} | {endpoint: number}} who
 * @returns {Step}
 */
export function nextStep(steps, who) {
    const after = bounded((steps.at(-1)?.after ?? 0) + pause);
    return "person" in who
        // The service knows whether the person has agreed before.
        ? { after, person: who.person, endpoint: null, agreed: null, outlook: "notAgreed" }
        : { after, person: null, endpoint: who.endpoint, agreed: null, outlook: "told" };
}

/**
 * The chain with one more step, in the order of times.
 * @param {readonly Step[]} steps
 * @param {Step} step
 */
export function withStep(steps, step) {
    return ordered([...steps, step]);
}

/**
 * @param {readonly Step[]} steps
 * @param {string} key
 */
export function withoutStep(steps, key) {
    return steps.filter((step) => keyOf(step) !== key);
}

/**
 * The chain with a step at another time, in the order of times.
 * @param {readonly Step[]} steps
 * @param {string} key
 * @param {number} after
 */
export function withStepAt(steps, key, after) {
    return ordered(steps.map((step) => keyOf(step) === key ? { ...step, after } : step));
}

/**
 * The next five minutes in a direction, within the bounds.
 * @param {number} minutes
 * @param {1 | -1} direction
 */
export function steppedMinutes(minutes, direction) {
    const places = minutes / stride;
    return bounded(stride * (direction > 0 ? Math.floor(places) + 1 : Math.ceil(places) - 1));
}

/**
 * Minutes as they were typed.
 * @param {string} text
 * @returns {number | null} null of what is none, or is too many.
 */
export function minutesIn(text) {
    // Full-width digits are what a Japanese keyboard may write.
    const plain = text.normalize("NFKC").trim();
    const minutes = /^\d{1,4}$/.test(plain) ? Number(plain) : NaN;
    return minutes >= leastMinutes && minutes <= mostMinutes ? minutes : null;
}

/**
 * People and endpoints that can become a step.
 * @template {Way} Own
 * @param {Pick<Chain, "steps" | "people">} chain
 * @param {readonly Own[]} ways
 */
export function candidatesOf({ steps, people }, ways) {
    return {
        people: people.filter(({ id }) => !steps.some(({ person }) => person?.id === id)),
        ways: ways.filter((way) => isInUse(way) && !isStep(steps, way)),
    };
}

/**
 * The endpoints that are told of an alarm when it begins: those in use that are no step or, where each is one, all of them.
 * @template {Way} Own
 * @param {readonly Step[]} steps
 * @param {readonly Own[]} ways
 * @returns {AtOnce<Own>}
 */
export function toldAtOnce(steps, ways) {
    const used = ways.filter(isInUse);
    const free = used.filter((way) => !isStep(steps, way));
    return free.length > 0 ? { ways: free, isAll: false } : { ways: used, isAll: used.length > 0 };
}

/** @param {Way} way */
function isInUse({ state }) {
    return state !== "gone" && state !== "paused";
}

/**
 * @param {readonly Step[]} steps
 * @param {Way} way
 */
function isStep(steps, { id }) {
    return steps.some(({ endpoint }) => endpoint === id);
}

/**
 * The name of a step.
 * @param {Pick<Voice, "t">} voice
 * @param {Pick<Step, "person" | "endpoint">} step
 * @param {readonly Way[] | null} ways null while they are not known.
 */
export function nameOfStep(voice, { person, endpoint }, ways) {
    if (person) return person.name;
    const way = ways?.find(({ id }) => id === endpoint);
    return way ? nameOf(voice, way) : voice.t("alerts.call_own");
}

/**
 * A step's disc: the first letter of a name, or the icon of an endpoint.
 * @param {Pick<Step, "person" | "endpoint">} step
 * @param {readonly Way[] | null} ways
 * @returns {{initial: string, icon: string | null}}
 */
export function discOf({ person, endpoint }, ways) {
    if (person) return { initial: initialOf(person.name), icon: null };
    const way = ways?.find(({ id }) => id === endpoint);
    return { initial: "", icon: way ? iconOf(way) : "link" };
}

/**
 * A line about a step: the hours that a person agreed to, or why nobody would be told.
 * @param {Pick<Voice, "t">} voice
 * @param {Pick<Step, "person" | "agreed" | "outlook">} step
 * @param {boolean} [isAll] Whether each endpoint is a step, so that all are told at once as well.
 */
export function detailOf({ t }, { person, agreed, outlook }, isAll = false) {
    if (!person && (outlook === "told" || outlook === "notAgreed")) return t(isAll ? "chain.own_all" : "chain.own");
    if (!person) return t(`chain.own_${outlook}`);
    if (outlook === "told" || outlook === "notAgreed") return t(`chain.agreed_${agreed ?? "open"}`);
    return t(`chain.person_${outlook}`);
}

/** Outcomes of a step that tells nobody, at any time, until somebody does something about it. */
const broken = new Set(["unreachable", "paused", "gone"]);

/** @param {string} outcome */
export function isBroken(outcome) {
    return broken.has(outcome);
}

/**
 * The chain in one line: who is next, and how many after them.
 * @param {Voice} voice
 * @param {readonly Step[]} steps
 * @param {readonly Way[] | null} ways
 */
export function summaryOf(voice, steps, ways) {
    const { t, format } = voice;
    const [next, ...others] = steps;
    if (!next) return t("chain.none");
    const first = t("chain.first", { name: nameOfStep(voice, next, ways), span: format.duration(next.after * minute) });
    return others.length === 0 ? first : t("chain.first_more", { first, count: others.length });
}

/**
 * The last alarm in two lines: who answered and how soon, and what it was.
 * @param {Voice} voice
 * @param {Last} last
 * @param {number} now
 * @returns {{who: string, what: string}}
 */
export function lastOf(voice, last, now) {
    const { format } = voice;
    const began = Date.parse(last.beganAt);
    const when = listed(voice, [format.day(began, now), format.clock(began)]);
    return { who: whoAnswered(voice, last), what: `${whatWas(voice, last)} · ${when}` };
}

/**
 * @param {Voice} voice
 * @param {Last} last
 */
function whoAnswered(voice, { answeredBy, isOwn, answeredAfter, endedAt }) {
    const { t } = voice;
    const span = preciseSpan(voice, (answeredAfter ?? 0) * 1000);
    if (isOwn) return t("chain.last_own", { span });
    if (answeredBy !== null) return t("chain.last_name", { name: answeredBy, span });
    return t(endedAt === null ? "chain.last_open" : "chain.last_nobody");
}

/**
 * @param {Pick<Voice, "t">} voice
 * @param {Pick<Last, "kind" | "parameter" | "side">} last
 */
function whatWas({ t }, { kind, parameter, side }) {
    if (parameter === null) return t("alerts.silence");
    if (!t.has(`water.${parameter}_full`)) return t("alerts.one");
    const key = `alerts.${kind}_of`;
    if (t.has(key)) return t(key, { name: t(`water.${parameter}`) });
    return t(side === null ? `water.${parameter}_full` : `water.${parameter}_${side}Short`);
}

/**
 * A span of time, within an hour to the second.
 * @param {Voice} voice
 * @param {number} span
 */
function preciseSpan({ t, format }, span) {
    const seconds = Math.floor(span / 1000) % 60;
    if (span < minute || span >= hour || seconds === 0) return format.duration(span);
    return [format.duration(span), t("time.second", { count: seconds })].join(t("time.between"));
}

/**
 * The next time at which the wall shows an hour.
 * @param {number} now
 * @param {number} wanted From 0 to 23.
 * @param {string} zone
 */
export function nextHour(now, wanted, zone) {
    const { year, month, day: date } = civil(now, zone);
    const today = Date.UTC(year, month - 1, date) + wanted * hour;
    const time = instantOf(today, zone);
    return time > now ? time : instantOf(today + day, zone);
}
