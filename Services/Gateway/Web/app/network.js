/** The kind of connection that this device has, as far as its browser tells. */

/** @typedef {{type: string, addEventListener: (name: 'change', listener: () => void) => void}} Network */

/** By this name the app remembers here that what is large is brought by Wi-Fi alone. */
export const wifiOnly = "maps-wifi";

/** @returns {Network | null} null where the browser does not tell which kind it is. */
export function networkOf() {
    const network = /** @type {any} */ (Reflect.get(navigator, "connection"));
    return network?.type === undefined ? null : network;
}

/** What is large is brought by Wi-Fi alone, and there is none. */
export class NoWifi extends Error {}
