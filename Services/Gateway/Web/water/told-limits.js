/** What limits would have told lately, in words. */

import { byLimits, reachOf } from "./back-test.js";

/**
 * @typedef {object} Told
 * @property {import("./ranges.js").Side | null} side Of the newest alarm, where that is known.
 * @property {[before: string, times: string, after: string]} sentence How often is stressed; empty where it is not said.
 * @property {string[]} more What would have been told besides.
 */

/** Stands for the number in a sentence that is taken apart. */
const mark = "\u0001";

/**
 * @param {Pick<import("../words/format.js").Voice, "t">} voice
 * @param {import("./back-test.js").Answer} answer To one pair of limits.
 * @returns {Told | null} `null` where it says nothing.
 */
export function toldOf({ t }, answer) {
    const result = answer.results[0];
    if (!result) return null;
    const { alarms, reminders, aheadAlarms = 0 } = result;
    const { days: count, isTooNew } = reachOf(answer);
    /** @param {string} text @returns {Told} */
    const only = (text) => ({ side: null, sentence: [text, "", ""], more: [] });
    if (isTooNew) return only(t("parameter.month_tooNew"));
    const days = t("parameter.month_days", { count });
    if (alarms === 0 && aheadAlarms === 0) return only(t("parameter.month_quiet", { days }));
    if (alarms === 0) return only(t("parameter.month_onlyAhead", { warnings: t("parameter.month_ahead", { count: aheadAlarms }), days }));
    const [before, after] = t("parameter.month_alerts", { times: mark, days }).split(mark);
    return {
        side: byLimits(result.times).at(-1)?.side ?? null,
        sentence: [before, t("parameter.month_times", { count: alarms }), after],
        more: [
            ...reminders > 0 ? [t("parameter.month_reminders", { count: reminders })] : [],
            ...aheadAlarms > 0 ? [t("parameter.month_moreAhead", { count: aheadAlarms })] : [],
        ],
    };
}
