/** Profiles of depths: what was measured further and further down, a line for each sample, so that one date stands beside another. */

/** @typedef {import("./draft.js").Sample} Sample */
/** @typedef {import("./protocol.js").Field} Field */
/** @typedef {import("./protocol.js").Protocol} Protocol */

/** The values of one sample, the shallowest first. @typedef {{id: string, at: number, points: readonly {depth: number, value: number}[]}} ProfileLine */
/** @typedef {{key: string, label: string, unit: string, lines: readonly ProfileLine[]}} Profile lines: the newest first. */

/** Of a line. */
const leastPoints = 2;
/** Beside the values on either side, as a share of their span. */
const margin = 0.08;
/** More dates than these nobody tells apart. */
export const mostLines = 6;

/**
 * The profiles that samples of one place have: one for each parameter, or field without one, and unit.
 * @param {readonly Pick<Sample, 'id' | 'begunAt' | 'protocol' | 'protocolVersion' | 'state' | 'values'>[]} samples
 * @param {readonly Pick<Protocol, 'id' | 'version' | 'fields'>[]} protocols By which they were taken, in each of the versions: another one may have another unit.
 * @returns {Profile[]} In the order of the protocols.
 */
export function profilesOf(samples, protocols) {
    const newest = samples.filter(({ state }) => state === "done").sort((one, other) => Date.parse(other.begunAt) - Date.parse(one.begunAt));
    /** @type {Map<string, {key: string, label: string, unit: string, lines: ProfileLine[]}>} */
    const found = new Map();
    for (const { id, version, fields } of protocols) {
        for (const field of fields.filter(({ kind, each }) => kind === "number" && each === "depth")) {
            const lines = newest.filter(({ protocol, protocolVersion }) => protocol === id && protocolVersion === version).map((sample) => lineOf(sample, field)).filter(({ points }) => points.length >= leastPoints);
            if (lines.length === 0) continue;
            const [subject, unit] = [field.parameter ?? `${id} ${field.id}`, field.unit ?? ""];
            const key = `${subject} ${unit}`;
            const known = found.get(key) ?? { key, label: field.label, unit, lines: [] };
            found.set(key, { ...known, lines: [...known.lines, ...lines].sort((one, other) => other.at - one.at) });
        }
    }
    return [...found.values()].map((profile) => ({ ...profile, lines: profile.lines.slice(0, mostLines) }));
}

/** @param {Pick<Sample, 'id' | 'begunAt' | 'values'>} sample @param {Field} field @returns {ProfileLine} */
function lineOf({ id, begunAt, values }, field) {
    const points = values.flatMap(({ field: name, depth, number }) =>
        name === field.id && depth !== null && depth !== undefined && number !== null && number !== undefined ? [{ depth, value: number }] : []
    );
    return { id, at: Date.parse(begunAt), points: points.sort((one, other) => one.depth - other.depth) };
}

/**
 * What the axes of a profile go from and to: the depth from the surface on.
 * @param {Profile} profile
 */
export function axesOf({ lines }) {
    const points = lines.flatMap(({ points }) => points);
    const values = points.map(({ value }) => value);
    const [least, greatest] = [Math.min(...values), Math.max(...values)];
    const room = margin * (greatest - least) || 1;
    return { low: least - room, high: greatest + room, deepest: Math.max(...points.map(({ depth }) => depth)) || 1 };
}
