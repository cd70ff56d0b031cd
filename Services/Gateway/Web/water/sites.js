/** Places without a device, and what stands at them. */

/** @typedef {import("./tanks.js").Device} Device */

/**
 * The places at which a device may stand: those of its owner.
 * @param {readonly Device[]} devices
 * @param {Device} device
 */
export function sitesFor(devices, device) {
    return devices.filter(({ kind, role, project }) => kind === "site" && role === "owner" && (project?.id ?? null) === (device.project?.id ?? null));
}

/**
 * The devices that stand at a place.
 * @param {readonly Device[]} devices
 * @param {string} id
 */
export function standingAt(devices, id) {
    return devices.filter(({ site }) => site?.id === id);
}

/** @typedef {{since: string, latitude: number | null, longitude: number | null, accuracy: number | null, source: string | null}} FormerPlace */

/**
 * Where something was, a line for each position: newest first, each with the time until which it held; null: it holds.
 * @param {readonly FormerPlace[]} places Newest first.
 */
export function stretchesOf(places) {
    return places.map((place, index) => ({ ...place, until: index === 0 ? null : places[index - 1].since }));
}
