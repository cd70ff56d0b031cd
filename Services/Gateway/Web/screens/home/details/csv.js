/**
 * A device's readings as a file.
 */

import { h } from "../../../page/dom.js";

/**
 * @param {import("../../../app/api.js").API} api
 * @param {string} device
 * @param {import("../../../water/series.js").Period} period
 */
export async function saveCSV(api, device, { from, to }) {
    const response = await api.open(`/devices/${device}/readings.csv`, {
        query: { from: new Date(from).toISOString(), until: new Date(to).toISOString() },
    });
    const address = URL.createObjectURL(await response.blob());
    const day = new Date(to).toISOString().slice(0, 10);
    const link = h("a", { href: address, download: `${device}-${day}.csv`, hidden: true });
    document.body.append(link);
    link.click();
    link.remove();
    // Some browsers begin to read the file a moment after the click.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
