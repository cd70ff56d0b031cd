/** The series that are compared: read for a period, and kept for when there is no connection. */

import { decoded } from "../../../water/series.js";
import { toldOf } from "../details/reading.js";

/** @typedef {import("../../../water/series.js").Period} Period */
/** @typedef {import("../../../water/series.js").Series} Series */
/** @typedef {{series: Series, told: readonly import("../details/reading.js").Told[]}} Course */

const points = 500;

/**
 * One parameter over a period, with its alarms of limits.
 * @param {import("../../../app/context.js").Context} context
 * @param {{device: string, name: string}} what
 * @param {Period} period
 * @param {string} key Of the period, under which it is kept.
 * @param {AbortSignal} signal
 * @returns {Promise<Course>}
 */
export async function readCourse({ api, store }, { device, name }, { from, to }, key, signal) {
    const part = `compare ${device} ${name} ${key}`;
    try {
        const [{ data }, alerts] = await Promise.all([
            api.get(`/devices/${device}/parameters/${name}/series`, { query: { from: new Date(from).toISOString(), until: new Date(to).toISOString(), points }, signal }),
            api.all("/alerts", { query: { device, parameter: name, kind: "range", since: new Date(from).toISOString(), limit: 200 }, signal }),
        ]);
        const course = { series: decoded(data, store.deviceOf(device)?.since), told: alerts.map(toldOf).filter(({ time }) => time <= to) };
        void store.keepPage(part, course);
        return course;
    } catch (error) {
        const kept = signal.aborted ? null : await store.kept(part);
        if (!kept) throw error;
        return kept;
    }
}
