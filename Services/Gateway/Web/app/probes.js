/** How the probes of the person's devices stand, with what decides which of them is told: fetched at leisure. */

import { mostOverdue } from "../water/calibration.js";
import { calibrationsOf } from "./calibrations.js";

/** @typedef {ReturnType<typeof probesOf>} Probes */

/** @param {Pick<import("./context.js").Context, 'api' | 'store'>} context */
export const probesOf = (context) => ({ calibrations: calibrationsOf(context), mostOverdue });
