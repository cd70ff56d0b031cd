/** What is usually done for a tank, to begin with: the service's word, which is kept here for when it cannot be asked. */

/** @typedef {import("../water/care.js").Proposal} Proposal */

/**
 * The reminders that are proposed for a tank, by what is said of it; none where nobody can be asked and nothing is kept.
 * @param {Pick<import("./context.js").Context, "api" | "store">} context
 * @param {string} device
 * @returns {Promise<readonly Proposal[]>}
 */
export async function usualOf({ api, store }, device) {
    const part = `usual ${device}`;
    try {
        const { data } = await api.get("/reminder-proposals", { query: { device } });
        store.keep(part, data);
        return data;
    } catch {
        return await store.kept(part) ?? [];
    }
}
