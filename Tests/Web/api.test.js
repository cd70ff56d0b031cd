/** What the client does when the service, or the way to it, does not do its part. */

import { deepStrictEqual as same, rejects } from "node:assert/strict";
import { createAPI } from "../../Services/Gateway/Web/app/api.js";

/**
 * @param {(Response | "broken")[]} answers What the service answers, one after the other.
 * @param {(api: import("../../Services/Gateway/Web/app/api.js").API, keys: (string | null)[], tokens: (string | null)[]) => Promise<void>} body
 * @param {Promise<Response | null>} [begun] The renewal that began before the client did.
 */
async function against(answers, body, begun) {
    /** @type {(string | null)[]} */
    const keys = [];
    /** @type {(string | null)[]} */
    const tokens = [];
    const { fetch, location } = globalThis;
    Object.assign(globalThis, {
        fetch: (/** @type {URL} */ _url, /** @type {RequestInit} */ init) => {
            keys.push(new Headers(init.headers).get("Idempotency-Key"));
            tokens.push(new Headers(init.headers).get("Authorization"));
            const answer = answers.shift();
            return answer instanceof Response ? Promise.resolve(answer) : Promise.reject(new TypeError("broken"));
        },
    });
    Object.defineProperty(globalThis, "location", { value: new URL("https://water.example/"), configurable: true });
    Object.defineProperty(navigator, "onLine", { value: true, configurable: true });
    try {
        await body(createAPI({ language: () => "en", onAnswer() {}, onNoAnswer() {}, onSignedOut() {}, begun }), keys, tokens);
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

const session = (/** @type {string} */ accessToken) => Response.json({ session: "7", accessToken, expiresIn: 600 });

Deno.test("a renewal that has begun is not asked for again", async () => {
    await against([Response.json([]), Response.json([])], async (api, _keys, tokens) => {
        await Promise.all([api.get("/devices"), api.get("/snoozes")]);
        same(tokens, ["Bearer early", "Bearer early"]);
    }, Promise.resolve(session("early")));
});

Deno.test("a renewal that nobody answered is asked for again", async () => {
    await against([session("late"), Response.json([])], async (api, _keys, tokens) => {
        await api.get("/devices");
        same(tokens, [null, "Bearer late"]);
    }, Promise.resolve(null));
});

Deno.test("a renewal that began is taken up once", async () => {
    const answers = [new Response(null, { status: 401 }), session("late"), Response.json([])];
    await against(answers, async (api, _keys, tokens) => {
        await api.get("/devices");
        same(tokens, ["Bearer early", null, "Bearer late"]);
    }, Promise.resolve(session("early")));
});

Deno.test("a renewal that began and is refused ends the session", async () => {
    await against([], async (api, keys) => {
        await rejects(api.get("/devices"), { name: "SignedOut" });
        same(keys, []);
    }, Promise.resolve(Response.json({}, { status: 401 })));
});
