/** What is usually done for a tank, to begin with: by what is said of it, or else by what most keepers do. */

import { proposals } from "../water/care.js";

/** @typedef {import("../water/care.js").Proposal} Proposal */

/**
 * The reminders that are proposed for a tank. Of one of which nothing is said, or can be asked now, they are what most keepers do.
 * @param {Pick<import("./api.js").API, "get">} api
 * @param {string} device
 * @returns {Promise<readonly Proposal[]>}
 */
export async function usualOf(api, device) {
    try {
        const { version } = (await api.get(`/devices/${encodeURIComponent(device)}/questionnaire`)).data;
        return version === 0 ? proposals : (await api.get("/reminder-proposals", { query: { device } })).data;
    } catch {
        return proposals;
    }
}
