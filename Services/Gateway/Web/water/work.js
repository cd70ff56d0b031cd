/**
 * Work on the water: somebody changes, cleans, calibrates or feeds, and what is measured says nothing of how the water is. It ends by its own
 * clock, whether the service is heard or not.
 */

/** @typedef {'waterChange' | 'cleaning' | 'calibration' | 'feeding' | 'other'} WorkKind */

/**
 * As the service tells it.
 * @typedef {object} ToldWork
 * @property {string} id
 * @property {string} kind
 * @property {string} from
 * @property {string} until
 * @property {string | null} endedAt
 * @property {{id: string, name: string, isMe: boolean} | null} by
 */

/**
 * @typedef {object} Work
 * @property {string} id
 * @property {WorkKind} kind What a newer version alone can name is other work.
 * @property {number} from
 * @property {number} until When it ends, or ended.
 * @property {string | null} by Who does it, where that is somebody else.
 */

/** The kinds that are offered, in their order. @type {readonly WorkKind[]} */
export const offered = Object.freeze(["waterChange", "cleaning", "calibration", "feeding"]);
/** How many minutes it lasts longer with each press. */
export const more = 15;
/** No longer than this by presses; the service takes twelve hours. */
const longestPressed = 120 * 60_000;

/**
 * How many minutes it lasts at first.
 * @param {WorkKind} kind
 */
export const minutesOf = (kind) => kind === "feeding" ? 15 : 30;

/**
 * @param {ToldWork | null | undefined} told What was kept on this device may lack it.
 * @returns {Work | null}
 */
export function workOf(told) {
    if (!told) return null;
    const { id, kind, from, until, endedAt, by } = told;
    return {
        id,
        kind: offered.find((one) => one === kind) ?? "other",
        from: Date.parse(from),
        until: Date.parse(endedAt ?? until),
        by: by && !by.isMe ? by.name : null,
    };
}

/**
 * @param {Work | null | undefined} work
 * @param {number} now
 */
export function isGoingOn(work, now) {
    return work !== null && work !== undefined && work.from <= now && now < work.until;
}

/** How long after its end it is said of the water that it is back, or still outside. */
const afterwards = 60 * 60_000;
/** How long after the work values still move because of it. */
const settling = 15 * 60_000;

/**
 * Whether somebody worked until a moment ago.
 * @param {Work | null | undefined} work
 * @param {number} now
 * @returns {work is Work}
 */
export function isJustOver(work, now) {
    return work !== null && work !== undefined && work.until <= now && now < work.until + afterwards;
}

/**
 * Whether water that is outside was so before the work ended, or by what the work left behind.
 * @param {Work | null | undefined} work
 * @param {number | null} since Since when it is outside.
 * @param {number} now
 */
export function isStillAfter(work, since, now) {
    return isJustOver(work, now) && since !== null && since < work.until + settling;
}

/**
 * Whether a press lets it last longer.
 * @param {Work} work
 */
export function canLast(work) {
    return work.until + more * 60_000 - work.from <= longestPressed;
}

/**
 * The parts of a period in which somebody worked, for drawing.
 * @param {readonly {from: number, until: number}[]} works
 * @param {{from: number, to: number}} period
 * @returns {{from: number, to: number}[]}
 */
export function workedIn(works, period) {
    return works
        .map(({ from, until }) => ({ from: Math.max(from, period.from), to: Math.min(until, period.to) }))
        .filter(({ from, to }) => to > from)
        .sort((one, other) => one.from - other.from);
}
