/** The distance of a probe from a second one in the same water. */

/** @typedef {import("../words/format.js").Voice} Voice */

/**
 * A difference between a probe and the second one, above zero where it reads higher, in the unit that is named.
 * @typedef {{by: number, unit: string, decimals: number, since: number}} Apart
 */

/**
 * A difference has no offset: where the person's unit is a line of the canonical one it is told in it.
 * @param {Pick<import("./tanks.js").Device, "differingProbes">} device
 * @param {Pick<import("./tanks.js").Parameter, "name" | "unit" | "decimals" | "scale">} parameter
 * @returns {Apart | null}
 */
export function apartOf({ differingProbes }, { name, unit, decimals, scale }) {
    const probe = differingProbes?.find(({ parameter }) => parameter === name);
    if (!probe) return null;
    const since = Date.parse(probe.since);
    const factor = scale?.factor ?? null;
    if (factor !== null || !scale) return { by: probe.by * (factor ?? 1), unit, decimals, since };
    return { by: probe.by, unit: scale.unit, decimals: scale.decimals, since };
}

/**
 * @param {Voice} voice
 * @param {string} name
 * @param {Apart} apart
 * @param {number} now
 */
export function apartText({ t, format }, name, { by, unit, decimals, since }, now) {
    return t(by > 0 ? "home.differs_higher" : "home.differs_lower", {
        name: t(`water.${name}`),
        value: format.withUnit(format.number(Math.abs(by), decimals), unit),
        time: format.placed(since, now),
    });
}
