/** Files that the service makes, saved where the browser saves them. */

import { h } from "../page/dom.js";

/**
 * @param {Pick<import("./api.js").API, 'open'>} api
 * @param {string} path
 * @param {string} name
 * @param {Record<string, string>} [query]
 */
export async function saveFile(api, path, name, query) {
    const response = await api.open(path, { query });
    const address = URL.createObjectURL(await response.blob());
    const link = h("a", { href: address, download: name, hidden: true });
    document.body.append(link);
    link.click();
    link.remove();
    // Some browsers begin to read the file a moment after the click.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
