/** A report of a period: its hours, and what its lists say in words. Times are milliseconds since 1970. */

/** @typedef {import("./series.js").Period} Period */

export const hour = 3_600_000;
/** The longest period that the service reports. */
const longest = 93 * 24 * hour;

/** @typedef {{id: string, name: string, isMe: boolean} | null} Person */
/** @typedef {{id: string, at: string, from: string, until: string, note: string | null, by: Person, withdrawn: {at: string, by: string | null, reason: string | null} | null}} Approval */
/** @typedef {{id: string, at: string, from: string, until: string, parameters: string[], messages: number, readings: number, reason: string | null, by: Person}} Deletion */

/**
 * @typedef {object} Figures
 * @property {string} parameter
 * @property {string} unit
 * @property {number} count
 * @property {number} hours
 * @property {number | null} mean
 * @property {number | null} least
 * @property {number | null} greatest
 * @property {number} secondsOutOfRange
 * @property {number} secondsUndecided
 * @property {number | null} minimum
 * @property {number | null} maximum
 */

/**
 * @typedef {object} Report
 * @property {string} device
 * @property {string} name
 * @property {string} from
 * @property {string} until
 * @property {number} hours
 * @property {number} approvedHours
 * @property {Figures[]} parameters
 * @property {{at: string, title: string, text: string, purpose: string, readingsDeletedAt: string | null}[]} alerts
 * @property {import("./journal.js").Entry[]} journal
 * @property {Deletion[]} deletions
 * @property {Approval[]} approvals
 * @property {boolean} complete
 */

/**
 * Whole hours around a period, no longer than a report may be, and none that is not over.
 * @param {Period} period
 * @param {number} now
 * @returns {Period}
 */
export function wholeHours({ from, to }, now) {
    const end = Math.min(Math.ceil(to / hour), Math.floor(now / hour)) * hour;
    const start = Math.min(Math.floor(from / hour) * hour, end - hour);
    return { from: Math.max(start, end - longest), to: end };
}

/**
 * How much of a period was measured, from 0 to 1.
 * @param {Pick<Report, 'hours'>} report
 * @param {Pick<Figures, 'hours'>} figures
 */
export function coverage(report, figures) {
    return report.hours === 0 ? 0 : Math.min(1, figures.hours / report.hours);
}

/**
 * The approvals that hold, of those that touch a report's period.
 * @param {Report} report
 */
export function standing(report) {
    return report.approvals.filter(({ withdrawn }) => withdrawn === null);
}

/**
 * A checksum in groups that an eye can follow.
 * @param {string} checksum
 */
export function grouped(checksum) {
    return checksum.replace(/(.{8})(?=.)/g, "$1 ");
}
