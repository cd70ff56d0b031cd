/** How often each value of the wheel would have alerted, asked for as the wheel turns. */

import { placesToAsk, reachOf } from "../../water/back-test.js";

/** A wheel that turns is waited for. */
const pause = 150;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} model
 * @param {import("../../app/trials.js").Trials} model.trials
 * @param {import("../../water/limits.js").Limit} model.limit
 * @param {readonly number[]} model.values
 * @param {() => void} model.onChange More is known.
 */
export function createCounts({ t }, { trials, limit, values, onChange }) {
    /** @type {Map<number, number>} */
    const known = new Map();
    /** @type {import("../../water/back-test.js").Reach | null} */
    let reach = null;
    let hasFailed = false;
    let isAsking = false;
    let isGone = false;
    let index = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;

    async function ask() {
        if (isAsking || isGone || reach?.isTooNew) return;
        const places = placesToAsk(index, values.length, (place) => known.has(place));
        if (places.length === 0) return;
        isAsking = true;
        try {
            const answer = await trials.ask({ [limit]: places.map((place) => values[place]).join(","), times: 0 }, () => !isGone);
            if (!answer) return;
            reach = reachOf(answer);
            hasFailed = false;
            answer.results.forEach(({ alarms }, at) => known.set(places[at], alarms));
        } catch {
            hasFailed = true;
        } finally {
            isAsking = false;
        }
        if (isGone) return;
        onChange();
        // Meanwhile it may have turned on.
        if (!hasFailed) ask();
    }

    return {
        /** @param {number} place The place that is chosen. */
        look(place) {
            index = place;
            clearTimeout(timer);
            timer = setTimeout(ask, known.size === 0 ? 0 : pause);
        },
        /**
         * What stands beside a value.
         * @param {number} place
         */
        text(place) {
            const alarms = known.get(place);
            if (reach?.isTooNew) return "";
            if (alarms === 0) return t("parameter.count_none");
            if (alarms !== undefined) return t("parameter.count", { count: alarms });
            return hasFailed ? "" : "…";
        },
        /** What stands above them. */
        get heading() {
            if (reach?.isTooNew) return t("parameter.count_tooNew");
            if (hasFailed && known.size === 0) return t("parameter.count_failed");
            return t("parameter.count_days", { count: reach?.days ?? 30 });
        },
        end() {
            isGone = true;
            clearTimeout(timer);
        },
    };
}
