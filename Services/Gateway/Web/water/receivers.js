/** Projects that receive samples of tanks and places of others. */

/** @typedef {{id: string, device: string, project: string, owner: string, since: string}} Sending */

/** The tables of samples that are offered, in this order. */
export const tables = Object.freeze(["surveys", "samples", "values", "tracks", "wqx"]);

/**
 * The secret in what somebody pasted: a whole link, or what follows its #; null: there is none of a project's.
 * @param {string} text
 */
export const secretOf = (text) => text.match(/(?:^|#|\s)(aqj_[A-Za-z0-9_-]+)\s*$/)?.[1] ?? null;
