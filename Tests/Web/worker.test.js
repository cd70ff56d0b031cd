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
});

Deno.test("the map's pictures are no business of the service worker", () => {
    // Not even where a path happens to be one of the app's.
    equal(isAnswered("https://tiles.example/4/8/5.png"), false);
    equal(isAnswered("https://water.example:8443/app/main.js"), false);
});
