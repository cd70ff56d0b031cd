/**
 * What the person hears nothing more of for a while, as the service keeps it.
 */

/**
 * @typedef {object} Snooze
 * @property {string} device
 * @property {string} kind Of the alerts that are snoozed.
 * @property {string | null} parameter null for the silence of a whole device.
 * @property {import("./ranges.js").Side | null} side null unless of kind range.
 * @property {string} until
 * @property {boolean} acknowledged Whether it ends with what goes on.
 */

/** @typedef {Pick<Snooze, 'device' | 'kind' | 'parameter' | 'side'>} Subject */
/** @typedef {{until: number, isAcknowledged: boolean}} Snoozed */
/** @typedef {{minutes: number} | 'over'} SnoozeLength Over: until what goes on is over. */

/** How long people snooze, in minutes. */
export const lengths = [30, 120, 480, 1440];

/**
 * Whether both are about the same.
 * @param {Subject} one
 * @param {Subject} other
 */
export function isSame(one, other) {
    return one.device === other.device && one.kind === other.kind && one.parameter === other.parameter && one.side === other.side;
}

/**
 * The snooze of a subject; null when there is none. Whether its time is over is for `isHeld` to say.
 * @param {readonly Snooze[]} snoozes
 * @param {Subject} subject
 * @returns {Snoozed | null}
 */
export function snoozeOf(snoozes, subject) {
    const found = snoozes.find((snooze) => isSame(snooze, subject));
    return found ? { until: Date.parse(found.until), isAcknowledged: found.acknowledged } : null;
}

/**
 * @param {Snoozed | null | undefined} snoozed
 * @param {number} now
 */
export function isHeld(snoozed, now) {
    return snoozed !== null && snoozed !== undefined && now < snoozed.until;
}

/**
 * What is left when an episode is over: a snooze lasts, an acknowledgement ends with it.
 * @param {readonly Snooze[]} snoozes
 * @param {Pick<Subject, "device" | "kind" | "parameter">} episode
 */
export function afterEpisode(snoozes, { device, kind, parameter }) {
    return snoozes.filter((snooze) =>
        !(snooze.acknowledged && snooze.kind === kind && snooze.device === device && snooze.parameter === parameter)
    );
}

/**
 * With this one in the place of any other of the same subject.
 * @param {readonly Snooze[]} snoozes
 * @param {Subject} subject
 * @param {Snooze | null} next
 */
export function replaced(snoozes, subject, next) {
    const others = snoozes.filter((snooze) => !isSame(snooze, subject));
    return next ? [...others, next] : others;
}

/** The longest that is told by its end although it ends with what goes on as well: an hour, and what clocks differ by. */
const shortest = 65 * 60_000;

/**
 * Whether a snooze is one until what goes on is over. A button's hour ends with that too, and in its last hour an acknowledgement does so by the
 * clock: both are told by their time.
 * @param {Snoozed} snoozed
 * @param {number} now
 */
const isUntilOver = ({ until, isAcknowledged }, now) => isAcknowledged && until - now > shortest;

/**
 * Until when, in words.
 * @param {import("../words/format.js").Voice} voice
 * @param {Snoozed} snoozed
 * @param {number} now
 */
export function snoozedText({ t, format }, snoozed, now) {
    return isUntilOver(snoozed, now) ? t("snooze.acknowledged") : t("snooze.until", { time: format.placed(snoozed.until, now) });
}

/**
 * The same where there is little room.
 * @param {import("../words/format.js").Voice} voice
 * @param {Snoozed} snoozed
 * @param {number} now
 */
export function shortSnoozedText({ t, format }, snoozed, now) {
    return isUntilOver(snoozed, now) ? t("snooze.known") : t("snooze.short", { time: format.placed(snoozed.until, now) });
}
