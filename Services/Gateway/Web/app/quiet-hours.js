/** The person's quiet hours, and what waits for their end. */

import { createChangeable } from "./changeable.js";

/** @typedef {import("../water/quiet.js").Hours} Hours */
/** @typedef {import("../water/quiet.js").Quiet} Quiet */
/** @typedef {ReturnType<typeof createQuietHours>} QuietHours */

const path = "/quiet-hours";

/**
 * @param {object} parts
 * @param {import("./api.js").API} parts.api
 * @param {(key: string, value: unknown) => unknown} parts.keep
 * @param {(key: string) => Promise<any>} parts.kept
 */
export function createQuietHours({ api, keep, kept }) {
    return createChangeable({
        /** @returns {Promise<Quiet>} */
        get: async () => (await api.get(path)).data,
        /** @param {Hours | null} hours null turns them off. */
        async send(hours, held) {
            if (hours) return (await api.put(path, hours)).data;
            await api.delete(path);
            return held && { ...held, hours: null, quietUntil: null };
        },
        changed: (told, hours) => ({ ...told, hours }),
        part: "quiet-hours",
        keep,
        kept,
    });
}
