/** How much water a tank has, in litres: asked once, and remembered on this device. */

import { parseNumber } from "../../words/numbers.js";

/** @typedef {Pick<import("../../app/context.js").Context, 'preferences'>} Remembering */

/** @param {string} device */
const keyOf = (device) => `volume-${device}`;

/**
 * @param {Remembering} context
 * @param {string} device
 * @returns {number | null}
 */
export function volumeOf({ preferences }, device) {
    const volume = parseNumber(preferences.noted(keyOf(device)) ?? "");
    return volume !== null && volume > 0 ? volume : null;
}

/**
 * @param {Remembering} context
 * @param {string} device
 * @param {number} volume
 */
export function rememberVolume({ preferences }, device, volume) {
    preferences.note(keyOf(device), String(volume));
}
