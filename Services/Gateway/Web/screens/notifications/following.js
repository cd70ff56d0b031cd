/** A test alert on its way: sent, and read again until all is told of it. */

import { isTold } from "../../water/test-alert.js";

/** @typedef {import("../../app/api.js").API} API */
/** @typedef {import("../../water/test-alert.js").TestAlert} TestAlert */

/** How long the outcome of a test is waited for. */
const patience = 60_000;
const interval = 1_000;

/**
 * @param {API} api
 * @param {number} [endpoint] The only one; without it the test goes to all that are in use.
 * @returns {Promise<string>} The id of the alert.
 */
export async function sendTest(api, endpoint) {
    const { data } = await api.post("/test-alerts", endpoint === undefined ? {} : { endpoint }, { once: true });
    return data.alert;
}

/**
 * Tells what is known of a test, again and again, until nothing more is to be expected.
 * @param {API} api
 * @param {string} alert
 * @param {object} about
 * @param {(alert: TestAlert) => void} about.tell
 * @param {() => boolean} about.hasEnded
 * @param {ReadonlySet<number>} about.browsers The endpoints that tell by themselves that a message has arrived.
 * @returns {Promise<boolean>} Whether each way has said something in time.
 */
export async function followTest(api, alert, { tell, hasEnded, browsers }) {
    const began = Date.now();
    for (;;) {
        const { data } = await api.get(`/alerts/${encodeURIComponent(alert)}`);
        if (hasEnded()) return false;
        tell(data);
        if (isTold(data, browsers, Date.now())) return true;
        if (Date.now() - began > patience) return false;
        await new Promise((resolve) => setTimeout(resolve, interval));
        if (hasEnded()) return false;
    }
}
