/** The one quiet line about a probe that is overdue. It takes what the app fetches at leisure, and no first screen waits for it. */

import { effect } from "../../page/signals.js";
import { joined } from "../../words/sentence.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {() => void} changed There is something else to show.
 */
export function createLateProbe(context, changed) {
    const { store, t, format } = context;
    let endStanding = () => {};
    let isFirst = true;
    const end = effect([store.probes], () => {
        endStanding();
        if (store.probes.value) endStanding = store.probes.value.calibrations.standing.subscribe(changed);
        if (!isFirst) changed();
        isFirst = false;
    });

    return {
        /**
         * An alarm of the water leaves no place for it.
         * @param {import("../../water/headline.js").Headline} headline
         * @param {number} now
         * @returns {import("./notices.js").Row | null} The notice.
         */
        update(headline, now) {
            const [probes, device] = [store.probes.value, store.current.value?.id];
            if (!probes || device === undefined || headline.isAlarm) return null;
            probes.calibrations.look(device, now);
            const probe = probes.mostOverdue(probes.calibrations.standing.value.get(device) ?? [], now);
            if (!probe || probe.lastCalibratedAt === null) return null;
            const name = t(`water.${probe.parameter}_full`);
            const since = t("calibration.home", { name, ago: format.ago(Date.parse(probe.lastCalibratedAt), now) });
            const href = `/settings/${encodeURIComponent(device)}/${encodeURIComponent(probe.parameter)}/calibration`;
            return { key: "probe", href, text: joined(context, since, t("calibration.late", { name })), shape: "late" };
        },

        remove() {
            end();
            endStanding();
        },
    };
}
