/** How the probes of the person's devices stand, and the line that Home tells of them: fetched at leisure. */

import { homeLine } from "../water/calibration.js";
import { calibrationsOf } from "./calibrations.js";

/** @typedef {import("../words/format.js").Voice} Voice */

/**
 * @typedef {object} Probes
 * @property {import("../page/signals.js").Readable<unknown>} shown What the line is made of.
 * @property {(voice: Voice, device: string, now: number) => import("../water/calibration.js").HomeLine | null} lineOf The line about a
 *     device's probes, which are looked at again from time to time.
 */

/**
 * @param {Pick<import("./context.js").Context, 'api' | 'store'>} context
 * @returns {Probes}
 */
export function probesOf(context) {
    const { standing, look } = calibrationsOf(context);
    return {
        shown: standing,

        lineOf(voice, device, now) {
            look(device, now);
            return homeLine(voice, device, standing.value.get(device) ?? [], now);
        },
    };
}
