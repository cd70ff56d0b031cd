/**
 * The one sentence above the line: how is my water? Decided here without words; the screens put it into a language.
 *
 * Order: no connection or no answer > readings come late > water outside > work on the water > probe fault > device silent > parameter silent > fine. Of each,
 * what nobody answers comes before what somebody is on.
 */

import { answerOf } from "./answers.js";
import { departureOf, isBeyondSensor, sideOf } from "./ranges.js";
import { isHeld } from "./snoozes.js";
import { isGoingOn } from "./work.js";

/** @typedef {import("./ranges.js").Range} Range */
/** @typedef {import("./ranges.js").Side} Side */

/**
 * What is known of one parameter of a device.
 * @typedef {object} Gauge
 * @property {string} name
 * @property {string} unit
 * @property {string} colour
 * @property {Range & {decimals: number}} range In the person's unit, as the value.
 * @property {number | null} value The last one; null while there is none.
 * @property {number | null} time When it was measured.
 * @property {Side | null} side The side of the open episode, as the server tells it.
 * @property {number | null} since When that began.
 * @property {{minimum: number | null, maximum: number | null}} [critical] The person's critical limits, in their unit.
 * @property {import("./snoozes.js").Snoozed | null} [snoozed] Of that side.
 * @property {string[]} [computedFrom] What it is computed from where the device does not send it.
 * @property {number | null} [brokenSince] Since when its probe has reported an error instead of values, or the same value.
 * @property {boolean} [isFlat] Whether it is the same value.
 * @property {import("./apart.js").Apart | null} [apart] How far it lies apart from a second probe in the same water, while that is too far.
 */

/**
 * @typedef {object} Unreadable A kind of message that could not be read within a day.
 * @property {string} reason
 * @property {string} subject
 * @property {string} since When the first of them came.
 */

/**
 * @typedef {object} Tank A device and what it measures.
 * @property {string} id
 * @property {string} name
 * @property {boolean | null} online null while it has said nothing about that.
 * @property {{testedAt: number | null, values: readonly {name: string, value: number | null}[]} | null} [site] Of a place without a device: when its water
 *     was last tested by hand, and what was found, in the person's units and order. It is never silent.
 * @property {number | null} silentSince When it was last heard, while it is not connected.
 * @property {import("./silence-hint.js").SilenceHint | null} [silenceHint] What it had said of itself before it fell silent.
 * @property {Gauge[]} gauges In the person's order.
 * @property {boolean} [isLookedAt] Whether the person only looks at it: they answer nothing and work on nothing.
 * @property {Unreadable | null} [unreadable] Of its owner alone.
 * @property {readonly import("./answers.js").Answer[]} [answers] Who is on what of it.
 * @property {import("./work.js").Work | null} [work] What is done to its water, perhaps until a moment ago.
 */

/**
 * @typedef {object} Connection
 * @property {'connecting' | 'live' | 'offline' | 'noAnswer'} state
 * @property {number | null} seenAt When the server last answered.
 * @property {number | null} [lateSince] Since when the server has not kept up with readings; null while it does.
 */

/** @typedef {'waiting' | 'low' | 'high' | 'fault' | 'silent' | 'fine'} GaugeState */

/** @typedef {'low' | 'high' | 'fault' | 'silent' | 'fine' | 'live' | 'snoozed' | 'offline' | 'answered' | 'due' | 'late' | 'done' | 'skipped' | 'pending' | 'byHand' | 'worked'} ShapeName The shape beside a state, or beside what happened. */

/** What is older tells little about the water now; the server's word `stale` means the same. */
const staleAfter = 15 * 60_000;
/** What a public station measured comes to a place that shows it up to so much later, and tells of the water until then. */
const lateAtPlaces = 3 * 3_600_000;
/** The shortest silence that is told. A connection that ended is none by itself: devices sleep, and brokers start anew. */
const silentAfter = 5 * 60_000;

/**
 * Whether nothing is known of the water now, for reasons of ours: no connection, no answer, or readings that come late.
 * @param {Connection} connection
 */
export function isCutOff({ state, lateSince = null }) {
    return state === "offline" || state === "noAnswer" || lateSince !== null;
}

/**
 * Whether a headline tells what was, and not what is.
 * @param {Headline} headline
 */
export function isPast({ kind }) {
    return kind === "offline" || kind === "noAnswer" || kind === "late";
}

/**
 * Whether the water is outside: an episode is open, and the last value is not within the limits as they are now. Limits that were moved
 * end an episode with the next reading; until then nothing is said that is untrue of the value.
 * @param {Gauge} gauge
 */
export function isOutside({ side, value, range }) {
    return side !== null && (value === null || sideOf(value, range) !== null);
}

/**
 * @param {Gauge} gauge
 * @param {number} now
 */
function isStale(gauge, now) {
    return gauge.time !== null && now - gauge.time > staleAfter;
}

/**
 * Whether the value is beyond the person's critical limit.
 * @param {Gauge} gauge
 */
export function isCritical({ value, range, critical }) {
    return critical !== undefined && sideOf(value, { ...range, ...critical }) !== null;
}

/**
 * Whether the person wants to hear no more of it for now. Water beyond a critical limit is an alarm all the same.
 * @param {Gauge} gauge
 * @param {number} now
 */
export function isSnoozed(gauge, now) {
    return isOutside(gauge) && isHeld(gauge.snoozed, now) && !isCritical(gauge);
}

/**
 * Whether a parameter has a place on the screen: it was measured lately, or the person has limits for it.
 * @param {Gauge} gauge
 */
export function isShown({ value, range }) {
    return value !== null || range.minimum !== null || range.maximum !== null;
}

/**
 * Whether its probe reports an error instead of values, or has reported the same value for too long.
 * @param {Gauge} gauge
 */
export function isBroken({ brokenSince }) {
    return typeof brokenSince === "number";
}

/**
 * Whether a device's connection ended, and nothing was heard of it for as long as silence takes.
 * @param {Tank} tank
 * @param {number} now
 */
function isGone(tank, now) {
    if (tank.online !== false) return false;
    const heard = heardAt(tank);
    return heard === null || now - heard > silentAfter;
}

/**
 * Whether a whole device is silent: its connection ended a while ago, or nothing it measures is recent.
 * @param {Tank} tank
 * @param {number} now
 */
export function isSilent(tank, now) {
    if (tank.site) return false;
    if (isGone(tank, now)) return true;
    const heard = tank.gauges.filter((gauge) => gauge.time !== null && (!isBroken(gauge) || gauge.isFlat));
    return heard.length > 0 && heard.every((gauge) => isStale(gauge, now));
}

/**
 * Whether no more is known of a place than what people tested, and what is older than that.
 * @param {Tank} tank
 * @param {number} now
 */
export function isByHand(tank, now) {
    return Boolean(tank.site) && tank.gauges.every(({ value, time }) => value === null || time !== null && now - time > lateAtPlaces);
}

/**
 * Whether a parameter is computed from others that are measured: it comes and goes with them, and has no value where the water is
 * beyond its formula.
 * @param {Gauge} gauge
 * @param {Tank} tank
 */
function isComputed({ computedFrom = [] }, tank) {
    const measured = new Set(tank.gauges.filter((gauge) => gauge.value !== null).map((gauge) => gauge.name));
    return computedFrom.length > 0 && computedFrom.every((name) => measured.has(name));
}

/**
 * When a device was last heard.
 * @param {Tank} tank
 * @returns {number | null}
 */
export function heardAt(tank) {
    const times = tank.gauges.map((gauge) => gauge.time).filter((time) => time !== null);
    const latest = times.length > 0 ? Math.max(...times) : null;
    return latest ?? tank.silentSince;
}

/**
 * The state of one parameter. What is old neither raises nor clears anything: an episode stays open while nobody listens.
 * @param {Gauge} gauge
 * @param {Tank} tank
 * @param {number} now
 * @returns {{state: GaugeState, isOld: boolean}}
 */
export function stateOf(gauge, tank, now) {
    if (gauge.value === null && !isBroken(gauge)) return { state: "waiting", isOld: false };
    const isOld = isStale(gauge, now) || isGone(tank, now);
    if (gauge.side !== null && isOutside(gauge)) return { state: gauge.side, isOld };
    // What stayed the same and comes no more is silent; who reports errors is heard.
    if (isBroken(gauge) && !(isOld && gauge.isFlat)) return { state: "fault", isOld };
    // Nobody waits for the next value of a place.
    if (isOld && !tank.site) return { state: "silent", isOld };
    if (gauge.value !== null && isBeyondSensor(gauge.value, gauge.range)) return { state: "fault", isOld };
    return { state: "fine", isOld };
}

/**
 * @typedef {object} Finding Something about one parameter, or about the device.
 * @property {'outside' | 'fault' | 'silentDevice' | 'silent'} kind
 * @property {Gauge | null} gauge
 * @property {import("./snoozes.js").Subject} subject By which it is snoozed and answered.
 * @property {number} departure
 * @property {number} since
 * @property {boolean} isOld
 * @property {boolean} isSnoozed
 * @property {import("./answers.js").Answered | null} answered Who is on it.
 * @property {import("./silence-hint.js").SilenceHint | null} [hint] Of a silent device: what probably explains it.
 */

/** The kinds of alerts that tell of what is found. */
const alertKinds = Object.freeze({ outside: "range", fault: "fault", silentDevice: "silence", silent: "silence" });

/**
 * What is found, as snoozes and answers name it.
 * @param {Tank} tank
 * @param {Finding["kind"]} kind
 * @param {Gauge | null} gauge
 * @returns {import("./snoozes.js").Subject}
 */
function subjectOf(tank, kind, gauge) {
    const side = kind === "outside" ? gauge?.side ?? null : null;
    return { device: tank.id, kind: alertKinds[kind], parameter: gauge?.name ?? null, side };
}

/**
 * Who is on what one parameter is found to be; null where nobody is.
 * @param {Gauge} gauge
 * @param {Tank} tank
 * @param {GaugeState} state
 * @param {number} now
 */
export function answeredIn(gauge, tank, state, now) {
    if (state === "fine" || state === "waiting") return null;
    const kind = state === "low" || state === "high" ? "outside" : state;
    return answerOf(tank.answers ?? [], subjectOf(tank, kind, gauge), now);
}

/**
 * All that is wrong, the worst first: water outside by the largest departure as a share of the span, then the oldest; what
 * is snoozed after what is not, and what somebody is on after what nobody answers.
 * @param {Tank} tank
 * @param {number} now
 * @returns {Finding[]}
 */
export function findingsOf(tank, now) {
    /** @type {Finding[]} */
    const findings = [];
    const silent = isSilent(tank, now);
    /** @param {Pick<Finding, "kind" | "gauge" | "since" | "isOld"> & Partial<Finding>} found */
    const add = (found) => {
        const subject = subjectOf(tank, found.kind, found.gauge);
        findings.push({ departure: 0, isSnoozed: false, ...found, subject, answered: answerOf(tank.answers ?? [], subject, now) });
    };
    if (silent) {
        const since = heardAt(tank) ?? tank.silentSince ?? now;
        add({ kind: "silentDevice", gauge: null, since, isOld: true, hint: tank.silenceHint ?? null });
    }
    for (const gauge of tank.gauges) {
        const { state, isOld } = stateOf(gauge, tank, now);
        const since = gauge.since ?? gauge.brokenSince ?? gauge.time ?? now;
        if (state === "low" || state === "high") {
            const departure = departureOf(gauge.value, gauge.range);
            add({ kind: "outside", gauge, departure, since, isOld, isSnoozed: isSnoozed(gauge, now) });
        } else if (state === "fault") add({ kind: "fault", gauge, since, isOld });
        else if (state === "silent" && !silent && !isComputed(gauge, tank)) {
            add({ kind: "silent", gauge, since: gauge.time ?? now, isOld });
        }
    }
    const order = ["outside", "fault", "silentDevice", "silent"];
    return findings.sort((one, other) =>
        order.indexOf(one.kind) - order.indexOf(other.kind) || Number(one.isSnoozed) - Number(other.isSnoozed) ||
        Number(one.answered !== null) - Number(other.answered !== null) || other.departure - one.departure || one.since - other.since
    );
}

/**
 * @typedef {object} Headline
 * @property {'loading' | 'empty' | 'offline' | 'noAnswer' | 'late' | 'waiting' | 'byHand' | 'outside' | 'fault' | 'silentDevice' | 'silent' |
 *     'recovered' | 'working' | 'fine'} kind byHand: of a place, whose water people test.
 * @property {boolean} isAlarm Whether the air is red.
 * @property {Finding | null} finding What it is about.
 * @property {Headline | null} was What held when the server was last heard.
 * @property {number | null} at When that was; of a place, when it was last tested.
 * @property {Finding[]} others The next worst things.
 * @property {number} fine How many parameters are within their limits.
 * @property {number} measured How many are measured at all.
 * @property {Gauge | null} recovered The one that came back.
 * @property {boolean} isByLimits Whether it is back because its limits were moved.
 */

/** @typedef {{name: string, isByLimits: boolean}} Recovered */

/**
 * @param {Tank | null | undefined} tank undefined while it is not known whether there is one; null when there is none.
 * @param {Connection} connection
 * @param {number} now
 * @param {Recovered | null} [recovered] A parameter whose recovery has not been seen yet.
 * @returns {Headline}
 */
export function headlineOf(tank, connection, now, recovered = null) {
    /** @type {Headline} */
    const plain = {
        kind: "fine",
        isAlarm: false,
        finding: null,
        was: null,
        at: null,
        others: [],
        fine: 0,
        measured: 0,
        recovered: null,
        isByLimits: false,
    };
    /**
     * @param {'offline' | 'noAnswer' | 'late'} kind
     * @param {number | null} at
     * @returns {Headline}
     */
    const past = (kind, at) => {
        const was = tank && at !== null ? headlineOf(tank, { state: "live", seenAt: at }, at) : null;
        return { ...plain, kind, was, at, fine: was?.fine ?? 0, measured: was?.measured ?? 0 };
    };
    if (connection.state === "offline" || connection.state === "noAnswer") return past(connection.state, connection.seenAt);
    if (tank === undefined) return { ...plain, kind: "loading" };
    if (tank === null) return { ...plain, kind: "empty" };
    if (isCutOff(connection)) return past("late", connection.lateSince ?? null);
    const measured = tank.gauges.filter((gauge) => gauge.value !== null);
    const fine = measured.filter((gauge) => stateOf(gauge, tank, now).state === "fine").length;
    const known = { ...plain, fine, measured: measured.length };
    const [finding, ...others] = findingsOf(tank, now);
    // What nobody can tell from the work says nothing; what was outside before goes on.
    if (finding?.kind !== "outside" && isGoingOn(tank.work, now)) return { ...known, kind: "working" };
    if (finding) {
        return { ...known, kind: finding.kind, isAlarm: finding.kind === "outside" && !finding.isSnoozed, finding, others };
    }
    if (isByHand(tank, now)) return { ...known, kind: "byHand", at: tank.site?.testedAt ?? null };
    if (measured.length === 0) return { ...known, kind: "waiting" };
    const back = measured.find((gauge) => gauge.name === recovered?.name);
    return back ? { ...known, kind: "recovered", recovered: back, isByLimits: recovered?.isByLimits ?? false } : known;
}

/** @typedef {GaugeState | 'worked' | 'byHand'} Standing Of a whole device; worked: somebody works on its water; byHand: of a place. */

/**
 * The worst thing of a device in a list, in one state.
 * @param {Tank} tank
 * @param {number} now
 * @returns {{state: Standing, finding: Finding | null}}
 */
export function standingOf(tank, now) {
    const [finding] = findingsOf(tank, now);
    if (finding?.kind !== "outside" && isGoingOn(tank.work, now)) return { state: "worked", finding: null };
    if (!finding) {
        return { state: isByHand(tank, now) ? "byHand" : tank.gauges.some((gauge) => gauge.value !== null) ? "fine" : "waiting", finding: null };
    }
    if (finding.kind === "outside") return { state: finding.gauge?.side ?? "high", finding };
    return { state: finding.kind === "fault" ? "fault" : "silent", finding };
}
