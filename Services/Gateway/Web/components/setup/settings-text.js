/**
 * The settings of a probe with AquaMonitor's own firmware, as one text: over a cable, and pasted into the page of its access point.
 * `deploy/firmware/aquamonitor/Settings.h` reads it.
 */

/** The probe's store takes no more bytes. */
const longest = 3900;

/**
 * @param {{id: string, password: string, host: string, port: number, tls: boolean}} device
 * @param {string | null} authority PEM; null: one that devices know by themselves.
 * @returns {string | null} null where it is too long for a probe.
 */
export function settingsText({ id, password, host, port, tls }, authority) {
    const certificates = tls ? authority?.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [] : [];
    const lines = ["aquamonitor 1", `host ${host}`, `port ${port}`, `tls ${tls ? "yes" : "no"}`, `id ${id}`, `key ${password}`, ...certificates, "end", ""];
    const text = lines.join("\n").replaceAll("\r", "");
    return new TextEncoder().encode(text).length > longest ? null : text;
}

/**
 * A text of the service with the key in its place.
 * @param {string} text
 * @param {string} key
 */
export const filledIn = (text, key) => text.replaceAll("{{password}}", () => key);
