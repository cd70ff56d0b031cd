/**
 * A device's readings as a file.
 */

import { saveFile } from "../../../app/files.js";

/**
 * @param {import("../../../app/api.js").API} api
 * @param {string} device
 * @param {import("../../../water/series.js").Period} period
 */
export async function saveCSV(api, device, { from, to }) {
    const day = new Date(to).toISOString().slice(0, 10);
    await saveFile(api, `/devices/${device}/readings.csv`, `${device}-${day}.csv`, {
        from: new Date(from).toISOString(),
        until: new Date(to).toISOString(),
    });
}
