/**
 * Alerts as people think of them: one stretch of time out of range is one row, whatever was sent about it.
 */

/**
 * @typedef {object} Alert
 * @property {string} id
 * @property {'alarm' | 'reminder' | 'recovery' | 'test'} purpose
 * @property {'decided' | 'sending' | 'delivered' | 'undelivered' | 'cancelled'} state
 * @property {string} title
 * @property {string} text
 * @property {string} decidedAt
 * @property {string} eventTime
 * @property {string} since
 * @property {string | null} acceptedAt
 * @property {{id: string, name: string} | null} device
 * @property {string | null} parameter
 * @property {'low' | 'high' | null} side
 * @property {string | null} unit
 * @property {number | null} value
 * @property {number | null} worst
 * @property {number | null} limit
 * @property {boolean} checkProbe
 */

/**
 * @typedef {object} Episode
 * @property {string} key
 * @property {Alert[]} alerts The newest first.
 * @property {Alert} first The one that a row leads to: the alarm, where it is known.
 * @property {number} since
 * @property {number | null} until When it was over; null while that is not known.
 * @property {number} at By what it is sorted.
 */

/**
 * @param {Alert} alert
 */
export function episodeKey(alert) {
    if (alert.purpose === "test" || !alert.device) return alert.id;
    return `${alert.device.id} ${alert.parameter} ${Date.parse(alert.since)}`;
}

/**
 * @param {readonly Alert[]} alerts The newest first.
 * @returns {Episode[]} The newest first.
 */
export function episodesOf(alerts) {
    /** @type {Map<string, Alert[]>} */
    const groups = new Map();
    for (const alert of alerts) {
        const key = episodeKey(alert);
        const group = groups.get(key);
        if (group) group.push(alert);
        else groups.set(key, [alert]);
    }
    return [...groups].map(([key, group]) => {
        const recovery = group.find(({ purpose }) => purpose === "recovery");
        const oldest = group[group.length - 1];
        return {
            key,
            alerts: group,
            first: group.find(({ purpose }) => purpose === "alarm") ?? oldest,
            since: Date.parse(oldest.since),
            until: recovery ? Date.parse(recovery.eventTime) : null,
            at: Date.parse(group[0].decidedAt),
        };
    });
}

/**
 * Whether it goes on: the service's state of the parameter says so, and it is the same stretch.
 * @param {Episode} episode
 * @param {readonly import("./headline.js").Tank[]} tanks
 */
export function isOpen(episode, tanks) {
    const { device, parameter, purpose } = episode.first;
    if (purpose === "test" || !device || episode.until !== null) return false;
    const gauge = tanks.find(({ id }) => id === device.id)?.gauges.find(({ name }) => name === parameter);
    return gauge?.side === episode.first.side && gauge !== undefined && gauge.since !== null && gauge.since === episode.since;
}
