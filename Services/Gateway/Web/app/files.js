/** Files that the service or the app makes, saved where the browser saves them. */

import { h } from "../page/dom.js";

/**
 * @param {Pick<import("./api.js").API, 'open'>} api
 * @param {string} path
 * @param {string} name
 * @param {Record<string, string>} [query]
 * @param {string} [project] As which project it is asked for; without it as the window acts.
 */
export async function saveFile(api, path, name, query, project) {
    const response = await api.open(path, { query, project });
    save(await response.blob(), name);
}

/**
 * @param {string} text
 * @param {string} name
 * @param {string} type
 */
export function saveText(text, name, type) {
    save(new Blob([text], { type }), name);
}

/**
 * @param {Blob} content
 * @param {string} name
 */
function save(content, name) {
    const address = URL.createObjectURL(content);
    const link = h("a", { href: address, download: name, hidden: true });
    document.body.append(link);
    link.click();
    link.remove();
    // Some browsers begin to read the file a moment after the click.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
