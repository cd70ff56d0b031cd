/** Which version a change names, of something that the app gave its id. */

/**
 * @param {number | undefined} version The last one that is known; 0 or none of what the service has never told of.
 * @returns {string | undefined} An entity tag. What is still on its way has none: the outbox names the version that the answer brings.
 */
export function versionTag(version = 0) {
    return version > 0 ? `"v${version}"` : undefined;
}
