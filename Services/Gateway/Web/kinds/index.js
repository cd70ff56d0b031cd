/**
 * The kinds of alerts, a file each, with all that the app knows of it: when it goes on, how it looks, what is said of it. And what goes
 * on now, of all kinds.
 */

import { answerOf } from "../water/answers.js";
import { isCritical, isOutside } from "../water/headline.js";
import { isHeld, isSame, snoozeOf } from "../water/snoozes.js";
import { ahead } from "./ahead.js";
import { byHand } from "./byHand.js";
import { calledOf } from "./called.js";
import { fault } from "./fault.js";
import { range } from "./range.js";
import { rate } from "./rate.js";
import { silence } from "./silence.js";
import { test } from "./test.js";
import { unknown } from "./unknown.js";

/** @typedef {import("../water/alerts.js").Alert} Alert */
/** @typedef {import("../water/answers.js").Answer} Answer */
/** @typedef {import("../water/answers.js").Answered} Answered */
/** @typedef {import("../water/alerts.js").Episode} Episode */
/** @typedef {import("../water/tanks.js").Device} Device */
/** @typedef {import("../water/headline.js").Finding} Finding */
/** @typedef {import("../water/headline.js").Gauge} Gauge */
/** @typedef {import("../water/headline.js").Headline} Headline */
/** @typedef {import("../water/headline.js").ShapeName} ShapeName */
/** @typedef {import("../water/headline.js").Tank} Tank */
/** @typedef {import("../water/snoozes.js").Snooze} Snooze */
/** @typedef {import("../water/snoozes.js").Snoozed} Snoozed */
/** @typedef {import("../words/format.js").Voice} Voice */

/**
 * @typedef {object} About What is told of an episode besides its alerts.
 * @property {number} now
 * @property {boolean} isNow Whether it goes on.
 * @property {Alert} [shown] The alert that is looked at, where one is.
 * @property {Gauge | null} [gauge] The parameter as it is now, where it is known.
 * @property {number} [decimals] With how many digits the parameter is told, where the alert does not say it.
 * @property {boolean} [isRed]
 */

/** @typedef {{kind?: string, purpose?: string, parameter?: string | null, side?: string | null, caller?: string | null}} Tellable What chooses the words of an alert. */
/** @typedef {{kind: string, parameter: string | null, state: string, since?: string}} Trouble As the stream tells of one. */
/** @typedef {[name: string, value: string, isAlarm?: boolean]} Fact */
/** @typedef {{name: string, detail: string, action: string, facts: Fact[]}} Told A row of a list, and what its screen says. */

/**
 * @typedef {object} FoundWords What is said while the water, or a device, is found to be so.
 * @property {(finding: Finding) => ShapeName} shape
 * @property {(voice: Voice, finding: Finding, now: number) => string} noticed In one sentence, beside something worse.
 * @property {(voice: Voice, finding: Finding, now: number) => string} word Beside the name of a device.
 * @property {(voice: Voice, headline: Headline, surroundings: Surroundings) => Said} headline
 */

/** @typedef {{now: number, seriesOf: (gauge: Gauge) => import("../water/series.js").Series | null, work?: import("../water/work.js").Work | null}} Surroundings */
/** @typedef {{headline: string, reason: import("../words/sentence.js").Part[], since?: string, action?: string}} Said */

/**
 * @typedef {object} Kind
 * @property {string} name As the service calls it.
 * @property {boolean} [isOfRange] Whether it is about a value out of range, which alone is red, and has sides and critical limits.
 * @property {boolean} [isOfProbe] Whether it is about a device or a probe that tells nothing of the water.
 * @property {boolean} [isTrial] Whether it is about no water: a person asked for it, to see that it comes.
 * @property {boolean} [isCall] Whether it is somebody else's alarm.
 * @property {(subject: {parameter?: string | null}) => boolean} [isOfDevice] Whether what it is about is told with its device, which is
 *     then read again.
 * @property {(device: Device, trouble: Trouble) => boolean} [isShown] Whether a device, as it is known, has such a trouble already.
 * @property {(alert: Tellable) => boolean} [isTellable] Whether an alert says what its sentences are about; each does where there is none.
 * @property {(alert: Alert) => boolean} [mayBeReplaced] Whether another probe may measure in the place of the one that it is about.
 * @property {(alert: Alert) => 'low' | 'high' | 'rose' | 'fell' | null} [mark] Its mark on a graph, of a kind that has one.
 * @property {(alert: Alert) => string} [reasons] By what name its reasons have words of their own.
 * @property {(alert: Alert) => ShapeName} shape
 * @property {ShapeName} [past] Its shape once it goes on no more; that of what is fine where there is none.
 * @property {(episode: Episode, tank: Tank, gauge: Gauge | undefined, now: number) => boolean} isOpen Whether an episode goes on of
 *     whose end nothing was told.
 * @property {(voice: Voice, episode: Episode, about: About) => Told} told
 * @property {Readonly<Record<string, ShapeName>>} [steps] The shapes of the steps that explain it; others have those of their side.
 * @property {Readonly<Record<string, FoundWords>>} [found] By what is found, as the headline calls it.
 */

/** @type {readonly Kind[]} */
export const kinds = [range, rate, ahead, byHand, silence, fault, test];

/** @type {Readonly<Record<string, ShapeName>>} */
const steps = Object.assign({}, ...kinds.map((kind) => kind.steps));
/** @type {Readonly<Record<string, FoundWords>>} */
const found = Object.assign({}, ...kinds.map((kind) => kind.found));

/**
 * The kind of an alert. What was kept on this device may lack it, and is of range then; one of a newer service is told in its words.
 * @param {Tellable} alert
 * @param {import("../lang/index.js").Words} [t] Where the alert is told: what has no words there is told in the service's, too.
 * @returns {Kind}
 */
export function kindOf(alert, t) {
    const { kind: name = "range", purpose } = alert;
    if (purpose === "test") return test;
    const found = kinds.find((one) => one.name === name) ?? unknown;
    const kind = t && !hasWords(found, alert, t) ? unknown : found;
    return alert.caller ? calledOf(kind) : kind;
}

/**
 * @param {Kind} kind
 * @param {Tellable} alert
 * @param {import("../lang/index.js").Words} t
 */
function hasWords({ isTellable }, alert, t) {
    const { purpose, parameter } = alert;
    if (purpose !== undefined && !t.has(`alerts.purpose_${purpose}`)) return false;
    if (typeof parameter === "string" && !t.has(`water.${parameter}_full`)) return false;
    return isTellable?.(alert) ?? true;
}

/**
 * Whether an episode goes on.
 * @param {Episode} episode
 * @param {readonly Tank[]} tanks
 * @param {number} [now]
 */
export function isOpen(episode, tanks, now = Date.now()) {
    const { first, until } = episode;
    const tank = tanks.find(({ id }) => id === first.device?.id);
    if (!tank || until !== null) return false;
    return kindOf(first).isOpen(episode, tank, tank.gauges.find(({ name }) => name === first.parameter), now);
}

/**
 * The words for a finding; null for one that no kind knows.
 * @param {Finding} finding
 * @returns {FoundWords | null}
 */
export function wordsOf({ kind }) {
    return found[kind] ?? null;
}

/**
 * The shape beside a step of an explanation.
 * @param {import("../water/why.js").Step} step
 * @returns {ShapeName}
 */
export function stepShape({ what, side, notification }) {
    if (quieted.has(notification)) return "snoozed";
    return steps[what] ?? (ofSide.has(what) ? side : null) ?? "live";
}

/** What became of a step at which the person wanted to hear nothing. */
const quieted = new Set(["snoozed", "acknowledged", "quietHours", "offShift"]);
/** Steps at which the water is out of range on a side. */
const ofSide = new Set(["opened", "flipped", "ongoing"]);

/**
 * @typedef {object} Open
 * @property {Episode | null} episode null where nobody was told.
 * @property {Tank | null} tank
 * @property {Gauge | null} gauge The parameter, where it is about one that is known.
 * @property {Snoozed | null} snoozed Until when the person hears no more of it.
 * @property {Answered | null} answered Who is on it.
 * @property {boolean} isCovered Whether it is somebody else's alarm of what an alarm of the person's own tells already.
 */

/**
 * @param {readonly Episode[]} episodes The newest first.
 * @param {readonly Tank[]} tanks
 * @param {readonly Snooze[]} snoozes
 * @param {number} now
 * @param {readonly Answer[]} [answers]
 * @returns {Open[]} What was told, the newest first, then what was not.
 */
export function openOf(episodes, tanks, snoozes, now, answers = []) {
    const told = episodes.filter((episode) => isOpen(episode, tanks, now));
    const own = told.filter(({ first }) => !kindOf(first).isCall);
    const isListed = (/** @type {Tank} */ tank, /** @type {Gauge} */ gauge) =>
        own.some(({ first }) => kindOf(first).isOfRange && first.device?.id === tank.id && first.parameter === gauge.name);
    const untold = tanks.flatMap((tank) =>
        tank.gauges.filter((gauge) => isOutside(gauge) && !isListed(tank, gauge)).map((gauge) => {
            const subject = { device: tank.id, kind: "range", parameter: gauge.name, side: gauge.side };
            return { episode: null, tank, gauge, subject, isCovered: false, ...heard(subject, gauge) };
        })
    );
    const subjects = [...own.map(({ first }) => subjectOf(first)), ...untold.map(({ subject }) => subject)];
    /**
     * @param {import("../water/snoozes.js").Subject | null} subject
     * @param {Gauge | null} gauge
     */
    function heard(subject, gauge) {
        if (subject === null) return { snoozed: null, answered: null };
        return { snoozed: quietOf(subject, gauge, snoozes, now), answered: answerOf(answers, subject, now) };
    }
    return [
        ...told.map((episode) => {
            const tank = tanks.find(({ id }) => id === episode.first.device?.id) ?? null;
            const gauge = tank?.gauges.find(({ name }) => name === episode.first.parameter) ?? null;
            const subject = subjectOf(episode.first);
            const isCovered = !own.includes(episode) && subjects.some((other) => subject && other && isSame(other, subject));
            return { episode, tank, gauge, isCovered, ...heard(subject, gauge) };
        }),
        ...untold.map(({ subject: _, ...one }) => one),
    ];
}

/**
 * The watch of an alert, as snoozes name it.
 * @param {Alert} alert
 * @returns {import("../water/snoozes.js").Subject | null} null of what cannot be snoozed.
 */
export function subjectOf(alert) {
    const { kind = "range", device, parameter, side } = alert;
    if (!device || kindOf(alert).isTrial) return null;
    return { device: device.id, kind, parameter, side: kindOf(alert).isOfRange ? side : null };
}

/**
 * Whether the person was alerted of a subject that goes on, and so can answer.
 * @param {readonly Open[]} open
 * @param {import("../water/snoozes.js").Subject} subject
 */
export function isTold(open, subject) {
    return open.some(({ episode }) => {
        const own = episode && subjectOf(episode.first);
        return own !== null && isSame(own, subject);
    });
}

/**
 * Until when the person hears no more of a subject. Water beyond a critical limit is an alarm all the same.
 * @param {import("../water/snoozes.js").Subject} subject
 * @param {Gauge | null | undefined} gauge
 * @param {readonly Snooze[]} snoozes
 * @param {number} now
 * @returns {Snoozed | null}
 */
export function quietOf(subject, gauge, snoozes, now) {
    const held = snoozeOf(snoozes, subject);
    if (!isHeld(held, now) || (kindOf(subject).isOfRange && gauge && isCritical(gauge))) return null;
    return held;
}

/**
 * Whether what an alert or an episode is about is told with its device.
 * @param {{kind?: string, parameter?: string | null}} alert
 */
export function isOfDevice(alert) {
    return kindOf(alert).isOfDevice?.(alert) ?? false;
}

/**
 * Whether a device has to be read again for a trouble that the stream tells of: it tells each one that goes on whenever it begins.
 * @param {Trouble} trouble
 * @param {Device | undefined} device As it is known.
 */
export function isNews(trouble, device) {
    if (!isOfDevice(trouble)) return false;
    const isKnown = device !== undefined && (kindOf(trouble).isShown?.(device, trouble) ?? false);
    return device === undefined || isKnown !== (trouble.state === "open");
}
