/**
 * Alerts as people think of them: one stretch of time out of range, of silence, of a fault, of a fast change or on the way to a limit is
 * one row, whatever was sent about it.
 */

/**
 * @typedef {object} Alert
 * @property {string} id
 * @property {string} [kind] One of those in `kinds/`, or of a newer service; what was kept on this device may lack it, and is of range then.
 * @property {'alarm' | 'reminder' | 'recovery' | 'past' | 'ended' | 'test' | 'escalation' | 'calledOff'} purpose past: told after it was over,
 *     since it began and ended while alerts waited; eventTime is when it ended. escalation: told because nobody has answered; calledOff:
 *     that is over, or somebody is on it.
 * @property {'decided' | 'sending' | 'delivered' | 'undelivered' | 'cancelled'} state
 * @property {string} title
 * @property {string} text
 * @property {string} decidedAt
 * @property {string} eventTime
 * @property {string} since Of a silence: when the device, or the parameter, was heard last. Of a fault: when the probe said so first.
 *     Of a rate: from when on the change was measured at first. Of what is told ahead: when it was found.
 * @property {string | null} acceptedAt
 * @property {string | null} [readingsDeletedAt] When readings that it tells of were deleted; what was kept here may lack it.
 * @property {{id: string, name: string} | null} device
 * @property {string | null} parameter Of a silence: null for the whole device.
 * @property {'low' | 'high' | null} side
 * @property {string | null} unit
 * @property {number | null} [decimals] With how many digits the values are told; what was kept here may lack it.
 * @property {number | null} value
 * @property {number | null} worst
 * @property {number | null} limit
 * @property {boolean} checkProbe Of a silence: whether the device is connected, or other readings come, all the same.
 * @property {import("./silence-hint.js").SilenceHint | null} [silenceHint] Of a silence: what the device had said of itself before.
 * @property {Outage | null} [outage] Of a silence: the devices with which it fell silent at once.
 * @property {boolean} [anotherProbe] Of a silence: whether another probe answers in place of the one in the water.
 * @property {boolean} [critical] Whether the value is beyond the person's critical limit, which the limit then is.
 * @property {boolean} [afterWork] Whether it tells that the value is still outside after somebody has worked on the water.
 * @property {boolean} [unstable] Whether it tells once that the value keeps leaving its range, in place of its alarms.
 * @property {Course | null} [change] How the value changed, of an alarm or a reminder of kind rate.
 * @property {{side: 'low' | 'high', unit: string, decimals: number, value: number, limit: number} | null} [byHand] The value that somebody
 *     measured, of an alarm of kind byHand.
 * @property {Ahead | null} [outlook] The limit that the value reaches, of an alarm of kind ahead.
 * @property {{value: number, unit: string, decimals: number} | null} [flat] The value that has stayed the same, of kind fault; null where the
 *     probe reports an error.
 * @property {{by: number, unit: string, decimals: number} | null} [differs] How much higher it reads than a second probe, of kind fault.
 * @property {string | null} [caller] Whose alarm it is, where it is not the person's own.
 * @property {string | null} [taker] Of what is called off: who is on it; null where it is over.
 * @property {Reason[]} [reasons] Where the alert was read by itself.
 */

/** @typedef {{project: string | null, devices: number, missing: number}} Outage Devices of one owner that fell silent at once; no name: a person's. */

/** @typedef {{by: number, seconds: number, value: number, limit: number, unit: string, decimals: number}} Course */

/** @typedef {{side: 'low' | 'high', value: number, limit: number, unit: string, decimals: number, expectedAt: string}} Ahead */

/** @typedef {{eventTime: string, decidedAt: string, reason: string, notification: string, value: number | null}} Reason */

/**
 * @typedef {object} Episode
 * @property {string} key
 * @property {Alert[]} alerts The newest first.
 * @property {Alert} first The one that a row leads to: the alarm, where it is known.
 * @property {number} since
 * @property {number | null} until When it was over; null while that is not known.
 * @property {{name: string, at: number} | null} taken Who is on it, and since when it needs the person no more, of what was called off.
 * @property {number} at By what it is sorted.
 */

/** States of an alert that comes to nobody. */
const lost = new Set(["undelivered", "cancelled"]);

/**
 * Whether an alert calls the person: one that never came does not.
 * @param {Alert} alert
 */
export function hasCalled({ purpose, state }) {
    return purpose === "escalation" && !lost.has(state);
}

/** What is told of an episode that is over, at the time of its end. */
const ends = new Set(["recovery", "past", "ended"]);

/**
 * @param {Alert} alert
 */
export function episodeKey(alert) {
    if (alert.purpose === "test" || !alert.device) return alert.id;
    const whose = alert.caller ? `call of ${alert.caller} ` : "";
    return `${whose}${alert.kind ?? "range"} ${alert.device.id} ${alert.parameter} ${Date.parse(alert.since)}`;
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
        const isCall = Boolean(group[0].caller);
        // An endpoint of the person's own that is called off says nothing of the water.
        const about = group.filter(({ purpose }) => isCall || purpose !== "calledOff");
        // A call is over, or somebody else's, until the next one comes.
        const last = isCall ? group.find((alert) => alert.purpose !== "escalation" || hasCalled(alert)) : undefined;
        const off = last?.purpose === "escalation" ? undefined : last;
        // A short relief is told to nobody, but the reasons know of it.
        const end = isCall ? (off?.taker ? undefined : off) : group.find(({ purpose }) => ends.has(purpose)) ??
            group.flatMap(({ reasons }) => reasons ?? []).find(({ reason }) => reason === "recovered");
        const oldest = group[group.length - 1];
        return {
            key,
            alerts: about.length === 0 ? group : about,
            first: group.find(({ purpose }) => purpose === "alarm") ?? oldest,
            since: Date.parse(oldest.since),
            until: end ? Date.parse(end.eventTime) : null,
            taken: off?.taker ? { name: off.taker, at: Date.parse(off.eventTime) } : null,
            at: Date.parse(group[0].decidedAt),
        };
    });
}
