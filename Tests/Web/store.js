/** As much of the store as the screens of alerts need, with the real list of alerts. */

import { createAlertList } from "../../Services/Gateway/Web/app/alert-list.js";
import { createQuietHours } from "../../Services/Gateway/Web/app/quiet-hours.js";
import { createSummary } from "../../Services/Gateway/Web/app/summary.js";
import { isNews, isOfDevice, openOf } from "../../Services/Gateway/Web/kinds/index.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";

const noSummary = { rhythm: "off", weekday: "monday", at: "08:00", weeklyNote: "push", timeZone: "UTC", nextAt: null };
const noQuiet = { hours: null, timeZone: "UTC", quietUntil: null, waiting: 0, waitingUntil: null };

/**
 * @param {object} parts
 * @param {any} parts.api
 * @param {any[]} parts.tanks
 * @param {any[]} [parts.snoozes]
 * @param {any[]} [parts.answers] Who is on what.
 * @param {any} [parts.quiet] The answer about quiet hours.
 * @param {Record<string, any>} [parts.kept]
 * @param {Record<string, any>} [parts.more] What else the store has.
 * @returns {any}
 */
export function createStore({ api, tanks, snoozes = [], answers = [], quiet = noQuiet, kept = {}, more = {} }) {
    const store = {
        tanks: signal(tanks),
        snoozes: signal(snoozes),
        answers: signal(answers),
        account: signal(null),
        devices: signal([]),
        alertNews: signal(0),
        callNews: signal(0),
        connection: signal({}),
        hand: signal(null),
        probes: signal(null),
        deviceOf: () => null,
        parameterOf: () => null,
        choose() {},
        keep: (/** @type {string} */ key, /** @type {any} */ value) => kept[key] = structuredClone(value),
        keepPage: (/** @type {string} */ key, /** @type {any} */ value) => kept[key] = structuredClone(value),
        kept: (/** @type {string} */ key) => Promise.resolve(kept[key]),
        kinds: signal({ openOf, isOfDevice, isNews }),
        ...more,
    };
    const quietAPI = /** @type {any} */ ({ get: () => Promise.resolve({ data: quiet }) });
    const summaryAPI = /** @type {any} */ ({ get: () => Promise.resolve({ data: noSummary }) });
    return {
        ...store,
        told: createAlertList({ ...store, api }),
        quiet: createQuietHours({ ...store, api: quietAPI }),
        summary: createSummary({ ...store, api: summaryAPI }),
    };
}

/**
 * An alarm of water that is too low, as the API has it.
 * @param {string} id
 * @param {string} device
 * @param {string} since
 * @param {any} [more]
 * @returns {any}
 */
export const alarmOf = (id, device, since, more = {}) => ({
    id,
    kind: "range",
    purpose: "alarm",
    state: "delivered",
    title: "",
    text: "",
    decidedAt: since,
    eventTime: since,
    since,
    acceptedAt: null,
    device: { id: device, name: device },
    parameter: "ph",
    side: "low",
    unit: "pH",
    decimals: 1,
    value: 6.5,
    worst: 6.4,
    limit: 7,
    checkProbe: false,
    reasons: [],
    deliveries: [],
    ...more,
});
