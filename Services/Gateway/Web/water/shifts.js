/** Shifts of a project: who is told when. Members are known by their ids in it. */

import { dayAt, dayOf, dayText } from "./civil.js";
import { daysOf, minutesOf, spanText } from "./quiet.js";

/** @typedef {import("../words/format.js").Voice} Voice */
/** @typedef {import("./projects.js").Member} Member */

/**
 * @typedef {object} Shift
 * @property {string | null} [id] None of one that is yet to be added.
 * @property {string} name
 * @property {readonly string[]} days Those on which it begins.
 * @property {string} from
 * @property {string} until On the next day unless it is later.
 * @property {readonly string[]} members
 */

/** @typedef {{shift: string, day: string, from: string, member: string}} Cover A turn of one member's that another takes. */
/** @typedef {{shift: string, day: string, since: string, until: string, members: readonly string[]}} Turn */

/**
 * @typedef {object} Rota
 * @property {string} timeZone
 * @property {readonly Shift[]} shifts
 * @property {readonly Cover[]} covers
 * @property {readonly Turn[]} turns Of a week from now on.
 * @property {readonly {since: string, until: string}[]} gaps When nobody is on shift.
 * @property {boolean} isReached Whether something reaches somebody who is on shift now.
 * @property {boolean} always Whether the person is told at all times.
 */

const length = 7 * 86_400_000;

/**
 * The people on shift now, each until when: of turns that follow each other, until the last of them.
 * @param {Rota} rota
 * @param {number} now
 * @returns {{member: string, until: number}[]}
 */
function presentOf({ turns }, now) {
    const members = new Set(turns.filter(({ since, until }) => Date.parse(since) <= now && now < Date.parse(until)).flatMap(({ members }) => members));
    return [...members].map((member) => {
        const own = turns.filter(({ members }) => members.includes(member)).sort((one, other) => Date.parse(one.since) - Date.parse(other.since));
        return { member, until: own.reduce((end, { since, until }) => Date.parse(since) <= end ? Math.max(end, Date.parse(until)) : end, now) };
    });
}

/**
 * The state of the rota now, in a sentence.
 * @param {Voice} voice
 * @param {Rota} rota
 * @param {(member: string) => string} nameOf
 * @param {number} now
 */
export function standingText({ t, format }, rota, nameOf, now) {
    if (rota.shifts.length === 0) return t("shifts.none");
    const present = presentOf(rota, now);
    if (present.length === 0) return t("shifts.nobody");
    const who = present.map(({ member, until }) => t("shifts.present", { name: nameOf(member), time: format.placed(until, now) }));
    const names = new Intl.ListFormat(format.locale, { type: "conjunction" }).format(who);
    return t(rota.isReached ? "shifts.now" : "shifts.unreached", { names });
}

/**
 * When nobody is on shift, in a sentence each.
 * @param {Voice} voice
 * @param {Rota} rota
 * @param {number} now
 */
export function gapTexts({ t, format }, { shifts, gaps }, now) {
    if (shifts.length === 0) return [];
    return gaps.filter(({ until }) => Date.parse(until) > now).map(({ since, until }) =>
        t("shifts.gap", { from: momentText(format, Date.parse(since), now), until: momentText(format, Date.parse(until), now) })
    );
}

/**
 * The weekday and the time: Sun 14:00.
 * @param {import("../words/format.js").Format} format
 * @param {number} time
 * @param {number} now
 */
function momentText(format, time, now) {
    const day = dayAt(time, format.zone);
    if (day === dayAt(now, format.zone)) return format.clock(time);
    return `${dayText(day, format.locale, { weekday: "short" })} ${format.clock(time)}`;
}

/**
 * A turn's day and time.
 * @param {Voice} voice
 * @param {Turn} turn
 * @param {number} now
 */
export function turnText({ format }, { since, until }, now) {
    return `${momentText(format, Date.parse(since), now)}–${format.clock(Date.parse(until))}`;
}

/**
 * @typedef {object} Row
 * @property {Member} member
 * @property {Turn[]} turns
 * @property {{from: number, width: number}[]} parts Shares of the week from now on.
 */

/**
 * The coming week, a row for each who stands in a shift or takes one; one's own first.
 * @param {Rota} rota
 * @param {readonly Member[]} members
 * @param {number} now
 * @returns {Row[]}
 */
export function rowsOf({ shifts, turns }, members, now) {
    const standing = new Set([...shifts.flatMap(({ members }) => members), ...turns.flatMap(({ members }) => members)]);
    return members.filter(({ id }) => standing.has(id)).sort((one, other) => Number(other.isMe) - Number(one.isMe)).map((member) => {
        const own = turns.filter(({ members, until }) => members.includes(member.id) && Date.parse(until) > now);
        const parts = own.map(({ since, until }) => {
            const from = Math.max(0, (Date.parse(since) - now) / length);
            return { from, width: Math.max(0, Math.min(1, (Date.parse(until) - now) / length) - from) };
        }).filter(({ width }) => width > 0);
        return { member, turns: own, parts };
    });
}

/**
 * The days and times of a shift: Mon, Tue · 22:00–06:00. All days are none.
 * @param {Voice} voice
 * @param {Shift} shift
 */
export function shiftText({ format }, { days, from, until }) {
    const span = spanText(format, { from: minutesOf(from) ?? 0, until: minutesOf(until) ?? 0 });
    if (days.length === 7) return span;
    return [daysOf(format.locale).filter(({ day }) => days.includes(day)).map(({ short }) => short).join(", "), span].join(" · ");
}

/**
 * The turns that are given away or taken: all but those that somebody has taken already, one's own first.
 * @param {Rota} rota
 * @param {Member} me
 * @param {number} now
 * @returns {{turn: Turn, member: string}[]} member: whose it is.
 */
export function swappable({ turns, covers }, me, now) {
    const each = turns.filter(({ until }) => Date.parse(until) > now).flatMap((turn) =>
        turn.members.filter((member) => !covers.some((cover) => cover.shift === turn.shift && cover.day === turn.day && cover.member === member))
            .map((member) => ({ turn, member }))
    );
    return [...each.filter(({ member }) => member === me.id), ...each.filter(({ member }) => member !== me.id)];
}

/**
 * Whether somebody may give back a turn that another has: either of the two, and whoever may act for the project.
 * @param {Cover} cover
 * @param {Member} me
 * @param {boolean} mayAct
 */
export const mayGiveBack = ({ from, member }, me, mayAct) => mayAct || me.id === from || me.id === member;

/** The day of a cover in words. @param {Voice} voice @param {string} day */
export const dayNamed = ({ format }, day) => dayText(dayOf(day), format.locale, { weekday: "short", day: "numeric", month: "short" });
