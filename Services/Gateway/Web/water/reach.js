/**
 * Whether alerts reach the person at all: at no endpoint nobody is told, whatever happens in the water.
 */

/** @typedef {'none' | 'failed' | 'some'} Reach none: no endpoint is registered; failed: there are some, and none of them works. */

/**
 * @param {readonly {state: 'active' | 'failing' | 'paused' | 'gone'}[]} endpoints All of the person's.
 * @returns {Reach}
 */
export function reachOf(endpoints) {
    if (endpoints.some(({ state }) => state === "active")) return "some";
    return endpoints.length === 0 ? "none" : "failed";
}

/**
 * Where on the home screen that is told: the notice stands beside everything that is known now, the question after a device
 * was linked, never above an open alarm; from the first reading on the water has the place.
 * @param {Reach | null} reach null while it is not known.
 * @param {import("./headline.js").Headline} headline
 * @returns {{notice: 'none' | 'failed' | null, asks: boolean}}
 */
export function warningOf(reach, { kind }) {
    const isSilent = reach === null || reach === "some" || ["loading", "empty", "offline", "noAnswer"].includes(kind);
    if (isSilent) return { notice: null, asks: false };
    return { notice: reach, asks: reach === "none" && kind === "waiting" };
}
