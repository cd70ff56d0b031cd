/** How the probes of the person's devices stand, and the line that Home tells of them: fetched at leisure. */

import { homeLine } from "../water/calibration.js";
import { calibrationsOf } from "./calibrations.js";

/** @typedef {ReturnType<typeof probesOf>} Probes */

/** @param {Pick<import("./context.js").Context, 'api' | 'store'>} context */
export function probesOf(context) {
    const { standing, look } = calibrationsOf(context);
    return {
        /** By device. */
        shown: standing,

        /**
         * The line about a device's probes, which are looked at again from time to time.
         * @param {import("../words/format.js").Voice} voice
         * @param {string} device
         * @param {number} now
         */
        lineOf(voice, device, now) {
            look(device, now);
            return homeLine(voice, device, standing.value.get(device) ?? [], now);
        },
    };
}
