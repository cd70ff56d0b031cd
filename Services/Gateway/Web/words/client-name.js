/** What people call a client that calls itself by a long text. */

/** @type {readonly [RegExp, string][]} */
const browsers = [
    [/Edg\//, "Edge"],
    [/OPR\//, "Opera"],
    [/Firefox\/|FxiOS\//, "Firefox"],
    [/Chrome\/|CriOS\//, "Chrome"],
    [/Safari\//, "Safari"],
];
/** @type {readonly [RegExp, string][]} */
const systems = [
    [/iPhone/, "iPhone"],
    [/iPad/, "iPad"],
    [/Android/, "Android"],
    [/Windows/, "Windows"],
    [/Mac OS X|Macintosh/, "Mac"],
    [/CrOS/, "ChromeOS"],
    [/Linux/, "Linux"],
];

/**
 * @param {string} client
 * @param {string} otherwise For one that says nothing.
 */
export function clientName(client, otherwise) {
    const browser = browsers.find(([pattern]) => pattern.test(client))?.[1];
    const system = systems.find(([pattern]) => pattern.test(client))?.[1];
    if (browser && system) return `${browser} · ${system}`;
    return browser ?? system ?? (client.slice(0, 60) || otherwise);
}
