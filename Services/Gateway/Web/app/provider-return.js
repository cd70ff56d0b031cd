/** What came of the way to the sign-in provider, in words. Few ever read them, so that they come along only then. */

/**
 * @param {import("../lang/index.js").Words} t
 * @param {string} what The fragment with which the service leads back.
 * @returns {string} Empty for what only a newer service says.
 */
export function sentenceOfReturn(t, what) {
    return t.has(`provider.${what}`) ? t(`provider.${what}`) : "";
}
