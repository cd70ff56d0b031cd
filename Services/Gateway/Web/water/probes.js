/** The temperature probes of a device: which of them is in the water, and whether it has been replaced. */

/**
 * @typedef {object} Probe
 * @property {string} id
 * @property {boolean} chosen Whether it measures the device's temperature.
 * @property {number | null} value
 * @property {string} unit
 * @property {string | null} reportedAt
 */

/** What probes say is noted every few minutes. So long after the others one does not report any more. */
const lag = 15 * 60_000;

/** Devices report as often as they like. After so long a value tells little about now. */
const old = 60 * 60_000;

/** @param {Probe} probe */
const heardAt = ({ reportedAt }) => reportedAt === null ? -Infinity : Date.parse(reportedAt);

/**
 * Whether there is anything to choose.
 * @param {readonly Probe[]} probes
 */
export const isChoice = (probes) => probes.length > 1;

/**
 * Whether its value tells little about now.
 * @param {Probe} probe
 */
export const isOld = (probe, now = Date.now()) => heardAt(probe) < now - old;

/**
 * Whether the probe in the water has not reported lately, while another one measures.
 * @param {readonly Probe[]} probes
 */
export function isReplaced(probes) {
    const chosen = probes.find((probe) => probe.chosen);
    const newest = Math.max(-Infinity, ...probes.filter(({ value }) => value !== null).map(heardAt));
    return chosen !== undefined && newest > -Infinity && heardAt(chosen) < newest - lag;
}
