/**
 * What a graph is drawn from.
 */

/** @typedef {import("../../water/series.js").Period} Period */
/** @typedef {import("../../water/series.js").Point} Point */
/** @typedef {import("../../water/series.js").Series} Series */

/**
 * An alert at its time: the value was below or above the limits, or it rose or fell fast.
 * @typedef {{time: number, kind: 'low' | 'high' | 'rose' | 'fell' | 'reminder'}} AlertMark
 */

/**
 * @typedef {object} GraphModel
 * @property {Series} series
 * @property {Period} period What is shown.
 * @property {Period} whole What can be shown.
 * @property {number} now
 * @property {boolean} isLive Whether the period ends now.
 * @property {import("../../water/ranges.js").Range} range
 * @property {readonly import("../../water/periods.js").LimitStep[]} [steps] The limits over time, where they change by the clock; without: those of
 *     the range at all times.
 * @property {{low: number, high: number}} domain
 * @property {boolean} hasEnvelope
 * @property {boolean} isOld
 * @property {boolean} [hasLane] Whether there is a lane below the hours.
 * @property {readonly AlertMark[]} alerts
 * @property {readonly {time: number, value: number}[]} byHand What people measured themselves.
 * @property {readonly (readonly {time: number, value: number}[])[]} [corrected] What it is without the probe's drift, in pieces that are joined.
 * @property {readonly (readonly {time: number, value: number}[])[]} [second] What a second probe in the same water measured, likewise.
 * @property {readonly Period[]} nights
 * @property {string} label
 * @property {{minimum: string, maximum: string, now: string, noData: string, nothing: string, whole: string}} words
 * @property {(value: number) => string} number
 * @property {(value: number) => string} limit
 * @property {(time: number) => string} clock
 * @property {(most: number) => readonly {time: number, text: string}[]} timeTicks
 * @property {(gap: Period) => string} gapText
 * @property {string} [workText] The name of work on the water.
 * @property {(point: Point, time: number) => string} readOut
 */

/** @typedef {{left: number, right: number, top: number, bottom: number}} Frame */

export {};
