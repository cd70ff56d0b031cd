import { strictEqual as equal } from "node:assert/strict";

const text = await Deno.readTextFile(new URL("../../Services/Gateway/Web/sw.js", import.meta.url));
const origin = "https://water.example";

/** Whether the service worker answers a request itself, or leaves it to the browser. @param {string} address */
function isAnswered(address, mode = "no-cors") {
    /** @type {Map<string, (event: unknown) => void>} */
    const listeners = new Map();
    const self = {
        location: new URL(`${origin}/sw.js`),
        registration: {},
        clients: {},
        addEventListener: (/** @type {string} */ type, /** @type {(event: unknown) => void} */ listener) =>
            listeners.set(type, listener),
    };
    const caches = { open: () => Promise.resolve({ match: () => Promise.resolve("kept") }) };
    const start = new Function("self", "caches", "BUILD", text);
    start(self, caches, { version: "1", files: ["/", "/app/main.js", "/4/8/5.png"] });
    let answered = false;
    listeners.get("fetch")?.({
        request: { method: "GET", mode, url: address },
        respondWith: (/** @type {Promise<unknown>} */ answer) => {
            answered = true;
            void answer;
        },
    });
    return answered;
}

Deno.test("the service worker keeps the app's own files and nothing of the API", () => {
    equal(isAnswered(`${origin}/app/main.js`), true);
    equal(isAnswered(`${origin}/api/v1/map`), false);
});

Deno.test("a screen is the app's page, and the way to the sign-in provider leads past it", () => {
    equal(isAnswered(`${origin}/settings/account`, "navigate"), true);
    equal(isAnswered(`${origin}/oidc/sign-in?client=1`, "navigate"), false);
    equal(isAnswered(`${origin}/oidc/callback?code=1`, "navigate"), false);
    equal(isAnswered(`${origin}/ogc/v1/collections`, "navigate"), false);
    equal(isAnswered(`${origin}/sta/v1.1/Things`, "navigate"), false);
});

Deno.test("the map's pictures are no business of the service worker", () => {
    // Not even where a path happens to be one of the app's.
    equal(isAnswered("https://tiles.example/4/8/5.png"), false);
    equal(isAnswered("https://water.example:8443/app/main.js"), false);
});

/**
 * What the service worker answers for a tile of the service's own map.
 * @param {string} address
 * @param {{kept?: string[], isOffline?: boolean, destination?: string}} options
 */
async function tileFor(address, { kept = [], isOffline = false, destination = "image" } = {}) {
    /** @type {Map<string, (event: unknown) => void>} */
    const listeners = new Map();
    const self = {
        location: new URL(`${origin}/sw.js`),
        registration: {},
        clients: {},
        addEventListener: (/** @type {string} */ type, /** @type {(event: unknown) => void} */ listener) => listeners.set(type, listener),
    };
    const bare = (/** @type {string} */ address) => address.split("?")[0];
    const caches = {
        match: (/** @type {{url: string}} */ { url }, { ignoreSearch = false } = {}) =>
            Promise.resolve(kept.find((known) => ignoreSearch ? bare(known) === bare(url) : known === url)),
    };
    const fetch = () => isOffline ? Promise.reject(new TypeError("Failed to fetch")) : Promise.resolve("asked for");
    new Function("self", "caches", "fetch", "Response", "BUILD", text)(self, caches, fetch, { error: () => "none" }, { version: "1", files: [] });
    /** @type {Promise<unknown> | null} */
    let answer = null;
    listeners.get("fetch")?.({
        request: { method: "GET", mode: "no-cors", destination, url: address },
        respondWith: (/** @type {Promise<unknown>} */ promise) => answer = promise,
    });
    return await answer;
}

Deno.test("tiles that are kept are asked of nobody, and without a connection an earlier version is shown", async () => {
    const [now, before] = [`${origin}/tiles/4/8/5?v=2`, `${origin}/tiles/4/8/5?v=1`];
    equal(await tileFor(now, { kept: [before, now] }), now);
    equal(await tileFor(now, { kept: [before] }), "asked for");
    equal(await tileFor(now, { kept: [before], isOffline: true }), before);
    equal(await tileFor(now, { isOffline: true }), "none");
    // What is brought to be kept comes from the service.
    equal(await tileFor(now, { kept: [now], destination: "" }), null);
});
