/** Until when somebody belongs to a project. */

import { dayOf, instantAt } from "../../../water/civil.js";

/**
 * The last minute of a day.
 * @param {string} day Empty: none.
 * @param {string} zone
 */
export function endOf(day, zone) {
    return day === "" ? null : new Date(instantAt(dayOf(day), "23:59", zone)).toISOString();
}
