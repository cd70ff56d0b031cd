/** The calibration log of a probe: what was typed, what waits on this device, and what the log says, in words. */

import { parseNumber } from "../words/numbers.js";
import { joined } from "../words/sentence.js";
import { fromCanonical } from "./scales.js";

/** @typedef {'check' | 'clean' | 'calibrate' | 'replace'} Kind */
/** @typedef {{standard: number, before: number | null, after: number | null, millivolts?: number | null}} Point */
/** @typedef {{id: string, name: string, isMe: boolean}} By */

/**
 * @typedef {object} Entry
 * @property {string} id
 * @property {Kind} kind
 * @property {string} at
 * @property {string} unit
 * @property {readonly Point[]} points
 * @property {number | null} temperature
 * @property {string | null} note
 * @property {By | null} by
 * @property {number} [version] What only this device knows has none.
 */

/** @typedef {{test: string, at: string, value: number, reading: number, deviation: number}} HandCheck */
/** @typedef {{perMonth: number, direction: 'higher' | 'lower' | 'steady', checks: number, byHand: boolean}} Drift */
/** @typedef {{at: string, reason: 'drift' | 'reminder' | 'usual'}} Due */

/**
 * @typedef {object} Log What the service says of a probe; deviations and drift are in the canonical unit.
 * @property {readonly Entry[]} items Newest first.
 * @property {readonly HandCheck[]} handChecks
 * @property {string | null} lastCalibratedAt
 * @property {number | null} deviation
 * @property {string | null} grade
 * @property {Drift | null} drift
 * @property {Due | null} due
 * @property {number | null} reminderDays
 * @property {{slope: number, offset: number, worn: boolean, grade?: string} | null} electrode
 */

/** @typedef {Pick<Log, "lastCalibratedAt" | "due"> & {parameter: string}} Standing How one probe of a device stands. */

/** @typedef {{calibration: 'entry', device: string, parameter: string, entry: Entry} | {calibration: 'gone', device: string, parameter: string, id: string}} About */
/** @typedef {{shape: "late", text: string, href: string}} HomeLine What Home says of a probe, and where that leads. */
/** @typedef {{about?: unknown, refusal?: {title: string, detail: string} | null}} Row */
/** @typedef {Pick<import("./tanks.js").Parameter, "name" | "unit" | "scale" | "decimals">} Parameter */
/** @typedef {import("../words/format.js").Voice} Voice */

/** @type {readonly Kind[]} */
export const kinds = Object.freeze(["calibrate", "check", "clean", "replace"]);
export const mostPoints = 3;

/** The standards that are sold, in the unit, the usual one first. @type {Record<string, readonly number[]>} */
const sold = { ph: [7, 4, 10], conductivity: [1413, 84, 12880], orp: [225, 470], turbidity: [0, 100], oxygen_saturation: [100, 0] };

/**
 * The standard that a form proposes for a point; null where none is usual in the unit.
 * @param {Parameter} parameter
 * @param {number} place
 */
export function usualStandard({ name, unit, scale }, place) {
    return scale && unit === scale.unit ? sold[name]?.[place] ?? null : null;
}

/**
 * The points that were typed. A row with nothing but the standard that was proposed is none: nobody used it.
 * @param {readonly {standard: string, proposed?: string, before: string, after: string, millivolts?: string}[]} rows What an electrode gave
 *     is typed of pH alone.
 * @returns {Point[] | null} null where something is no number, or a reading has no standard.
 */
export function pointsOf(rows) {
    /** @type {Point[]} */
    const points = [];
    for (const row of rows) {
        const [standard, before, after, millivolts] = [row.standard, row.before, row.after, row.millivolts ?? ""]
            .map((text) => text.trim() === "" ? null : parseNumber(text) ?? NaN);
        if (before === null && after === null && millivolts === null && (standard === null || row.standard === row.proposed)) continue;
        if (standard === null || [standard, before, after, millivolts].some(Number.isNaN)) return null;
        points.push({ standard, before, after, ...millivolts === null ? {} : { millivolts } });
    }
    return points;
}

/**
 * What keeps an entry from being written, as the word of its section that tells it; null where nothing does.
 * @param {Kind} kind
 * @param {readonly Point[] | null} points
 * @returns {"noNumber" | "missing" | "twice" | null}
 */
export function faultOf(kind, points) {
    if (points === null) return "noNumber";
    if (kind === "check" && (points.length === 0 || points.some(({ before }) => before === null))) return "missing";
    return new Set(points.map(({ standard }) => standard)).size < points.length ? "twice" : null;
}

/**
 * What a row of the outbox does to calibration logs; null of rows about something else.
 * @param {Row} row
 * @returns {About | null}
 */
export function aboutOf({ about }) {
    return about !== null && typeof about === "object" && "calibration" in about ? /** @type {About} */ (about) : null;
}

/** Whether a probe is as good as new after it. @param {Kind} kind */
export const isCalibration = (kind) => kind === "calibrate" || kind === "replace";

/**
 * A log with what waits laid over it. Drift and the next date are the service's; after another last calibration that date is not known yet.
 * @param {Log} log
 * @param {string} device
 * @param {string} parameter
 * @param {readonly Row[]} rows In the order of making; what was refused changes nothing.
 * @returns {Log}
 */
export function laidOver(log, device, parameter, rows) {
    let items = log.items;
    for (const row of rows) {
        const about = aboutOf(row);
        if (!about || row.refusal || about.device !== device || about.parameter !== parameter) continue;
        const id = about.calibration === "entry" ? about.entry.id : about.id;
        items = items.filter((entry) => entry.id !== id);
        if (about.calibration === "entry") items = [...items, about.entry];
    }
    if (items === log.items) return log;
    items = [...items].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
    const lastCalibratedAt = items.find(({ kind }) => isCalibration(kind))?.at ?? null;
    return { ...log, items, lastCalibratedAt, due: lastCalibratedAt === log.lastCalibratedAt ? log.due : null };
}

/**
 * The rows about a log that the service has refused, with what it said.
 * @template {Row} T
 * @param {readonly T[]} rows
 * @param {string} device
 * @param {string} parameter
 * @returns {{row: T, about: About, problem: string}[]}
 */
export function refusedOf(rows, device, parameter) {
    return rows.flatMap((row) => {
        const about = aboutOf(row);
        if (!about || !row.refusal || about.device !== device || about.parameter !== parameter) return [];
        return [{ row, about, problem: row.refusal.detail || row.refusal.title }];
    });
}

/**
 * A difference in the person's unit, without its sign. In a unit along which equal differences are not equal it is told as the sensor has it.
 * @param {Voice} voice
 * @param {number} canonical
 * @param {Parameter} parameter
 */
export function differenceText({ format }, canonical, { unit, scale, decimals }) {
    const isLine = scale?.factor !== null && scale?.factor !== undefined;
    const size = Math.abs(canonical * (isLine ? scale.factor ?? 1 : 1));
    // A drift is told finer than a reading: half a step a month is something.
    return format.withUnit(format.number(size, decimals + 1), isLine || !scale ? unit : scale.unit);
}

/**
 * What the log says of the probe, a sentence each.
 * @param {Voice} voice
 * @param {Log} log
 * @param {Parameter} parameter
 * @param {number} now
 */
export function sentencesOf(voice, log, parameter, now) {
    const { t, format } = voice;
    const { lastCalibratedAt: last, drift, deviation, grade, due, electrode } = log;
    const size = deviation === null ? "" : differenceText(voice, deviation, parameter);
    const isRight = deviation !== null && Math.abs(deviation) * 10 ** (parameter.scale?.decimals ?? 1) < 0.5;
    return [
        last === null ? t("calibration.none") : t("calibration.age", { ago: format.ago(Date.parse(last), now) }),
        drift === null
            ? log.items.length === 0 ? "" : t("calibration.drift_unknown")
            : t(`calibration.drift_${drift.direction}`, { value: differenceText(voice, drift.perMonth, parameter) }),
        drift?.byHand ? t("calibration.drift_hand") : "",
        deviation === null ? "" : t(`calibration.off_${isRight ? "none" : deviation > 0 ? "high" : "low"}`, { value: size }),
        grade !== null && t.has(`calibration.grade_${grade}`) ? t(`calibration.grade_${grade}`) : "",
        due === null ? "" : t(`calibration.due_${due.reason}`, { on: format.date(Date.parse(due.at)) }),
        electrode === null ? "" : t("calibration.electrode", {
            slope: format.withUnit(format.number(electrode.slope, 1), "%"),
            offset: format.withUnit(format.number(electrode.offset, 1), "mV"),
        }),
        electrode === null ? "" : electrodeText(voice, electrode),
    ].filter((sentence) => sentence !== "");
}

/**
 * What a slope and an offset mean; a service of before tells only whether the electrode is worn.
 * @param {Pick<Voice, "t">} voice
 * @param {NonNullable<Log["electrode"]>} electrode
 */
function electrodeText({ t }, { worn, grade }) {
    const key = `calibration.electrode_${grade ?? (worn ? "worn" : "")}`;
    return t.has(key) ? t(key) : "";
}

/**
 * What was noted of a point.
 * @param {Voice} voice
 * @param {Point} point
 * @param {string} unit
 * @param {number} decimals
 */
export function pointText({ t, format }, { standard, before, after, millivolts = null }, unit, decimals) {
    const [inStandard, found, left] = [standard, before, after].map((value) =>
        value === null ? "" : format.withUnit(format.limit(value, decimals), unit)
    );
    const key = before === null ? after === null ? "only" : "after" : after === null ? "before" : "both";
    const told = t(`calibration.in_${key}`, { standard: inStandard, before: found, after: left });
    return millivolts === null ? told : `${told} · ${format.withUnit(format.number(millivolts, Number.isInteger(millivolts) ? 0 : 1), "mV")}`;
}

/**
 * A value by hand beside what the probe read.
 * @param {Voice} voice
 * @param {HandCheck} check
 * @param {Parameter} parameter
 */
export function handCheckText({ t, format }, { value, reading }, { unit, scale, decimals }) {
    const [hand, probe] = [value, reading].map((canonical) =>
        format.withUnit(format.number(fromCanonical(canonical, scale) ?? canonical, decimals), unit)
    );
    return t("calibration.by_hand", { value: hand, probe });
}

/**
 * The corrected line of a series, in pieces: neither a gap nor what is not known is crossed.
 * @param {{points?: readonly {time: string, corrected?: number | null, afterGap?: boolean}[]}} series As the service says it.
 * @returns {{time: number, value: number}[][]}
 */
export function correctedPieces({ points = [] }) {
    /** @type {{time: number, value: number}[][]} */
    const pieces = [];
    let isJoined = false;
    for (const { time, corrected, afterGap } of points) {
        if (typeof corrected !== "number") {
            isJoined = false;
            continue;
        }
        const place = { time: Date.parse(time), value: corrected };
        if (isJoined && !afterGap) pieces[pieces.length - 1].push(place);
        else pieces.push([place]);
        isJoined = true;
    }
    return pieces;
}

/**
 * Whether a calibration is overdue.
 * @param {Pick<Log, "due">} log
 * @param {number} now
 */
export function isLate({ due }, now) {
    return due !== null && Date.parse(due.at) < now;
}

/**
 * The probe of a device that is overdue the longest.
 * @template {Standing} T
 * @param {readonly T[]} standing
 * @param {number} now
 * @returns {T | null}
 */
export function mostOverdue(standing, now) {
    const late = standing.filter((probe) => probe.lastCalibratedAt !== null && isLate(probe, now));
    return late.sort((one, other) => Date.parse(one.due?.at ?? "") - Date.parse(other.due?.at ?? ""))[0] ?? null;
}

/**
 * The line on Home about the probe of a device that is overdue the longest.
 * @param {Voice} voice
 * @param {string} device
 * @param {readonly Standing[]} standing
 * @param {number} now
 * @returns {HomeLine | null}
 */
export function homeLine(voice, device, standing, now) {
    const { t, format } = voice;
    const probe = mostOverdue(standing, now);
    if (!probe || probe.lastCalibratedAt === null) return null;
    const name = t(`water.${probe.parameter}_full`);
    const since = t("calibration.home", { name, ago: format.ago(Date.parse(probe.lastCalibratedAt), now) });
    const href = `/settings/${encodeURIComponent(device)}/${encodeURIComponent(probe.parameter)}/calibration`;
    return { shape: "late", text: joined(voice, since, t("calibration.late", { name })), href };
}

/**
 * The reminder to calibrate that is to be done at a device today, or late, to be ticked off with an entry.
 * @template {{reminder: {device: string, activity: string}}} T
 * @param {readonly T[]} todo
 * @param {string} device
 * @returns {T | null}
 */
export function reminderOf(todo, device) {
    return todo.find(({ reminder }) => reminder.device === device && reminder.activity === "calibrate") ?? null;
}
