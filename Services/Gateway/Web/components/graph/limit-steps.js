/** The limits of a parameter over time, where they change by the clock: read for a period, again when they are set otherwise. */

import { stepsOf } from "../../water/periods.js";

/** @typedef {import("../../water/series.js").Period} Period */
/** @typedef {import("../../water/periods.js").LimitStep} LimitStep */

/** What lies ahead of a period is read with it, so that time may go on for a while. */
const ahead = 2 * 86_400_000;
/** The longest time of which steps are shown; in a longer one they would be as fine as hair. */
const longest = 40 * 86_400_000;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} what
 * @param {string} what.device
 * @param {string} what.parameter
 * @param {() => void} what.changed Others are known.
 */
export function createLimitSteps({ api, store }, { device, parameter, changed }) {
    /** @type {{key: string, period: Period, steps: readonly LimitStep[]} | null} */
    let read = null;
    /** What is being read, or could not be. */
    let asked = "";
    let isGone = false;

    /**
     * @param {Period} period
     * @param {string} key
     */
    async function load({ from, to }, key) {
        const until = to + ahead;
        asked = `${key} ${from}`;
        try {
            const path = `/devices/${encodeURIComponent(device)}/parameters/${encodeURIComponent(parameter)}/limits`;
            const { data } = await api.get(path, { query: { from: new Date(from).toISOString(), until: new Date(until).toISOString() } });
            if (isGone || asked !== `${key} ${from}`) return;
            read = { key, period: { from, to: until }, steps: stepsOf(data) };
            changed();
        } catch {
            // The band is drawn by the limits that hold now, and read again with the next period.
        }
    }

    return {
        /**
         * The steps of a period as far as they are known; unknown ones are asked for. None where limits do not change by the clock.
         * @param {Period} period
         * @returns {readonly LimitStep[]}
         */
        of(period) {
            const own = store.parameterOf(device, parameter);
            if (!own?.periods?.length || period.to - period.from > longest) return [];
            const key = `${own.version} ${own.unit}`;
            const isKnown = read !== null && read.key === key && read.period.from <= period.from && read.period.to >= period.to;
            if (!isKnown && asked !== `${key} ${period.from}`) void load(period, key);
            return read?.key === key ? read.steps : [];
        },
        end() {
            isGone = true;
        },
    };
}
