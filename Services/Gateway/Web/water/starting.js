/**
 * The limits that a device begins with: those of what lives in its water, before the service knows the device. All of it is in
 * canonical units, in which a newly linked device is read.
 */

/**
 * @typedef {object} Start
 * @property {string} name Of the parameter.
 * @property {string} unit
 * @property {number} decimals
 * @property {number | null} minimum
 * @property {number | null} maximum
 */

/** The manual's Table 3.1, as the service has it. @type {readonly Start[]} */
export const manual = [
    { name: "temperature", unit: "C", decimals: 1, minimum: 12, maximum: 24 },
    { name: "ph", unit: "pH", decimals: 1, minimum: 7.5, maximum: 8.5 },
    { name: "ammonia", unit: "ppm", decimals: 2, minimum: null, maximum: 0.25 },
    { name: "nitrate", unit: "ppm", decimals: 1, minimum: 0, maximum: 40 },
    { name: "nitrite", unit: "ppm", decimals: 2, minimum: null, maximum: 0.25 },
    { name: "alkalinity", unit: "ppm", decimals: 0, minimum: 50, maximum: 200 },
    { name: "hardness", unit: "ppm", decimals: 0, minimum: 200, maximum: 530 },
    { name: "dissolved_oxygen", unit: "ppm", decimals: 1, minimum: 7, maximum: 9 },
    { name: "salinity", unit: "ppt", decimals: 1, minimum: 3, maximum: 7 },
];

/**
 * @param {import("./presets.js").Preset | null} preset null for the manual's table. What it does not name stays as there.
 * @returns {Start[]}
 */
export function startingWith(preset) {
    return manual.map((own) => {
        const limits = preset?.limits.find(({ parameter }) => parameter === own.name);
        return limits ? { ...own, minimum: limits.minimum, maximum: limits.maximum } : own;
    });
}
