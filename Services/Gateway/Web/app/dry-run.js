/** Limits that are tried on many tanks: one question at a time, as the service answers a person only one. */

import { add, batchesOf } from "../water/dry-run.js";
import { inTurn } from "./turns.js";

/** @typedef {import("../water/dry-run.js").Row} Row */

/** Two people are answered at once, each of whose questions takes seconds: whoever comes third waits for a minute before they are told. */
const mostTries = 60;

/**
 * @param {Pick<import("./context.js").Context, "api">} context
 * @returns {import("../components/dry-run/dry-run.js").Run}
 */
export const dryRunOf = (context) => (wish, course) => dryRun(context, wish, course);

/**
 * @param {Pick<import("./context.js").Context, "api">} context
 * @param {object} wish
 * @param {readonly string[]} wish.devices
 * @param {readonly import("../water/presets.js").WholeLimits[]} wish.limits A parameter each; what one leaves out is as each tank has it.
 * @param {object} course
 * @param {AbortSignal} course.signal
 * @param {(part: number) => void} course.tell How much is done, from 0 to 1.
 * @returns {Promise<Row[]>} In the order of the devices.
 */
export async function dryRun({ api }, { devices, limits }, { signal, tell }) {
    /** @type {Map<string, Row>} */
    const rows = new Map();
    const questions = limits.flatMap((one) => batchesOf(devices).map((batch) => ({ devices: batch, limits: one })));
    for (const [index, question] of questions.entries()) {
        tell(index / questions.length);
        const { data } = await inTurn(() => api.post("/parameters/back-tests", question, { signal }), signal, mostTries);
        add(rows, data);
    }
    return [...rows.values()];
}
