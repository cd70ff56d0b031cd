/** What the client does when the service, or the way to it, does not do its part. */

import { deepStrictEqual as same, rejects } from "node:assert/strict";
import { createAPI } from "../../Services/Gateway/Web/app/api.js";

/**
 * @param {(Response | "broken")[]} answers What the service answers, one after the other.
 * @param {(api: import("../../Services/Gateway/Web/app/api.js").API, keys: (string | null)[]) => Promise<void>} body
 */
async function against(answers, body) {
    /** @type {(string | null)[]} */
    const keys = [];
    const { fetch, location } = globalThis;
    Object.assign(globalThis, {
        fetch: (/** @type {URL} */ _url, /** @type {RequestInit} */ init) => {
            keys.push(new Headers(init.headers).get("Idempotency-Key"));
            const answer = answers.shift();
            return answer instanceof Response ? Promise.resolve(answer) : Promise.reject(new TypeError("broken"));
        },
    });
    Object.defineProperty(globalThis, "location", { value: new URL("https://water.example/"), configurable: true });
    Object.defineProperty(navigator, "onLine", { value: true, configurable: true });
    try {
        await body(createAPI({ language: () => "en", onAnswer() {}, onNoAnswer() {}, onSignedOut() {} }), keys);
    } finally {
        Object.assign(globalThis, { fetch });
        Object.defineProperty(globalThis, "location", { value: location, configurable: true });
    }
}

const problem = (/** @type {string} */ code) => Response.json({ code, title: code }, { status: 409 });

Deno.test("a creation whose connection broke is asked for under its key until its answer is there", async () => {
    const answers = [/** @type {const} */ ("broken"), problem("idempotency-in-progress"), Response.json({ id: "7" }, { status: 201 })];
    await against(answers, async (api, keys) => {
        const { data } = await api.post("/endpoints", { url: "https://a.example" }, { once: true, anonymous: true });
        same(data, { id: "7" });
        same(keys.length, 3);
        same(new Set(keys).size, 1);
    });
});

Deno.test("another conflict is told at once", async () => {
    await against([problem("endpoint-taken")], async (api, keys) => {
        await rejects(api.post("/endpoints", {}, { once: true, anonymous: true }), { code: "endpoint-taken" });
        same(keys.length, 1);
    });
});
