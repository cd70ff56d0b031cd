/** Two devices in the same water, as the screen of one of them tells of it. */

/** @typedef {import("../words/format.js").Voice} Voice */

/**
 * @typedef {object} Pair What the service tells of two devices in the same water.
 * @property {{id: string, name: string}} first
 * @property {{id: string, name: string}} second
 * @property {string | null} comparedAt
 * @property {readonly {parameter: string, unit: string, decimals: number, by: number | null, since: string | null}[]} differences
 */

/**
 * The comparison of a pair's probes, a line for each parameter, seen from one of the two devices.
 * @param {Voice} voice
 * @param {Pair} pair
 * @param {string} device
 * @returns {string[]}
 */
export function pairLines({ t, format }, { first, comparedAt, differences }, device) {
    if (comparedAt === null) return [t("second.wait")];
    if (differences.length === 0) return [t("second.nothing")];
    return differences.map(({ parameter, unit, decimals, by }) => {
        const name = t(`water.${parameter}`);
        if (by === null) return t("second.few", { name });
        if (Number(by.toFixed(decimals)) === 0) return t("second.alike", { name });
        const isHigher = by > 0 === (first.id === device);
        return t(isHigher ? "second.higher" : "second.lower", { name, value: format.withUnit(format.number(Math.abs(by), decimals), unit) });
    });
}

/**
 * The devices that may stand in the same water as one: the others of its owner.
 * @param {readonly import("./tanks.js").Device[]} devices
 * @param {import("./tanks.js").Device} device
 */
export function candidatesOf(devices, device) {
    return devices.filter(({ id, kind, role, project }) =>
        id !== device.id && kind !== "site" && role === "owner" && (project?.id ?? null) === (device.project?.id ?? null)
    );
}
