/** Which version a change names, of something that the app gave its id: it may still be on its way to the service. */

/**
 * @param {number} version The last one that is known; 0: none.
 * @param {readonly {isTried: boolean, refusal: unknown}[]} rows What waits of the thing itself.
 * @returns {string | undefined} An entity tag; none where the service has never heard of it.
 */
export function tagAfter(version, rows) {
    if (version > 0) return `"v${version}"`;
    const isUnheard = rows.some(({ isTried, refusal }) => !isTried || refusal !== null);
    // What was sent has its first version by the time that its change is.
    return isUnheard ? undefined : '"v1"';
}
