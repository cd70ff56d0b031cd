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
 * @returns {Start[]} What has limits first, and of that the manual's parameters, which most devices measure.
 */
export function startingWith(preset) {
    const limits = new Map((preset?.limits ?? []).map(({ parameter, ...one }) => [parameter, { name: parameter, ...one }]));
    const starts = manual.map((own) => {
        const { minimum, maximum } = limits.get(own.name) ?? own;
        return { ...own, minimum, maximum };
    });
    for (const { name, unit, decimals, minimum, maximum } of limits.values()) {
        if (manual.some((own) => own.name === name)) continue;
        // While versions change, an earlier one may answer, which does not tell the digits.
        starts.push({ name, unit, decimals: decimals ?? digitsOf(minimum, maximum), minimum, maximum });
    }
    return [...starts.filter(hasLimits), ...starts.filter((start) => !hasLimits(start))];
}

/**
 * The digits behind the decimal mark that numbers are given with.
 * @param {(number | null)[]} numbers
 */
function digitsOf(...numbers) {
    return Math.max(...numbers.map((number) => String(number).split(".")[1]?.length ?? 0));
}

/** @param {Start} start */
function hasLimits({ minimum, maximum }) {
    return minimum !== null || maximum !== null;
}
