/**
 * Which of several tanks the home screen shows, and which of its parameters is the large one. Decided here without words.
 */

import { findingsOf } from "./headline.js";

/** @typedef {import("./headline.js").Tank} Tank */

/** From so many tanks on all of them are what the water opens with. */
export const many = 12;

/**
 * The worst water outside of a tank that is not snoozed, of that first what nobody answers; null while it has none.
 * @param {Tank} tank
 * @param {number} now
 */
function alarmOf(tank, now) {
    return findingsOf(tank, now).find(({ kind, isSnoozed }) => kind === "outside" && !isSnoozed) ?? null;
}

/**
 * The tank to show: the chosen one, until there is a choice the one in alarm, else the one of the last visit. An alarm that nobody
 * answers comes before one that somebody is on. One in alarm is held while its alarm lasts, whatever gets worse elsewhere: nothing moves
 * by itself.
 * @param {readonly Tank[]} tanks In the person's order.
 * @param {object} known
 * @param {string | null} known.chosen In this visit.
 * @param {string | null} known.held What was shown before.
 * @param {string | null} known.remembered What was chosen in the last visit.
 * @param {number} now
 * @returns {Tank | null} null when there is none.
 */
export function leadingOf(tanks, { chosen, held, remembered }, now) {
    /** @param {string | null} id */
    const called = (id) => tanks.find((tank) => tank.id === id);
    const own = called(chosen);
    if (own) return own;
    const alarmed = tanks.flatMap((tank) => {
        const alarm = alarmOf(tank, now);
        return alarm ? [{ tank, alarm }] : [];
    });
    if (alarmed.length > 0) {
        const same = alarmed.find(({ tank }) => tank.id === held);
        const [worst] = alarmed.sort((one, other) =>
            Number(one.alarm.answered !== null) - Number(other.alarm.answered !== null) ||
            other.alarm.departure - one.alarm.departure || one.alarm.since - other.alarm.since
        );
        return (same ?? worst).tank;
    }
    return called(held) ?? called(remembered) ?? tanks[0] ?? null;
}

/**
 * How many of several tanks have something that the person has not snoozed and nobody answers, and of how many others somebody sees to
 * all that is left; null where one tank is all there is.
 * @param {readonly Tank[]} tanks
 * @param {number} now
 * @returns {{count: number, seenTo: number, all: number} | null}
 */
export function needsOf(tanks, now) {
    if (tanks.length < 2) return null;
    const called = tanks.map((tank) => findingsOf(tank, now).filter(({ isSnoozed }) => !isSnoozed)).filter(({ length }) => length > 0);
    const count = called.filter((findings) => findings.some(({ answered }) => answered === null)).length;
    return { count, seenTo: called.length - count, all: tanks.length };
}

/**
 * The parameter that stands large: the worst outside, held while it is outside; null while none is.
 * @param {Tank} tank
 * @param {string | null} held
 * @param {number} now
 */
export function largeOf(tank, held, now) {
    const outside = findingsOf(tank, now).flatMap(({ kind, gauge }) => kind === "outside" && gauge ? [gauge.name] : []);
    return outside.find((name) => name === held) ?? outside[0] ?? null;
}
