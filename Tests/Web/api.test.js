/** What the client does when the service, or the way to it, does not do its part. */

import { deepStrictEqual as same, rejects } from "node:assert/strict";
import { createAPI } from "../../Services/Gateway/Web/app/api.js";
import { createBegun } from "../../Services/Gateway/Web/app/begun.js";

/**
 * @param {(Response | "broken")[]} answers What the service answers, one after the other.
 * @param {(api: import("../../Services/Gateway/Web/app/api.js").API, keys: (string | null)[], tokens: (string | null)[]) => Promise<void>} body
 * @param {Promise<Response | null>} [renewal] That began before the client did.
 * @param {Record<string, Response | null>} [early] What was asked before.
 * @param {() => Promise<boolean>} [prove] Asks for the password.
 */
async function against(answers, body, renewal, early = {}, prove = undefined) {
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
        const paths = new Map(Object.entries(early).map(([path, answer]) => [path, Promise.resolve(answer)]));
        const begun = createBegun({ renewal, answers: paths });
        await body(
            createAPI({ language: () => "en", client: () => "c", onAnswer() {}, onNoAnswer() {}, onSignedOut() {}, prove, begun }), keys, tokens);
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

Deno.test("a renewal that began and was refused is asked for again, as another window may have signed in since", async () => {
    const refused = () => Response.json({}, { status: 401 });
    await against([session("late"), Response.json([])], async (api, _keys, tokens) => {
        await api.get("/devices");
        same(tokens, [null, "Bearer late"]);
    }, Promise.resolve(refused()));
    await against([refused()], async (api, keys) => {
        await rejects(api.get("/devices"), { name: "SignedOut" });
        same(keys.length, 1);
    }, Promise.resolve(refused()));
});

Deno.test("what was asked for is not asked for again, but once more when it is wanted again", async () => {
    const early = { "/account": Response.json({ email: "early" }), "/devices?limit=200": Response.json({ items: [7], next: null }) };
    await against([Response.json({ email: "late" })], async (api, _keys, tokens) => {
        same((await api.get("/account")).data, { email: "early" });
        same(await api.all("/devices", { query: { limit: 200 } }), [7]);
        same(tokens, []);
        same((await api.get("/account")).data, { email: "late" });
        same(tokens, ["Bearer early"]);
    }, Promise.resolve(session("early")), early);
});

Deno.test("what nobody answered is asked for again, and what is changed is never taken for read", async () => {
    await against([Response.json({ email: "late" }), Response.json({})], async (api, keys) => {
        same((await api.get("/account")).data, { email: "late" });
        await api.patch("/settings", {});
        same(keys.length, 2);
    }, Promise.resolve(session("early")), { "/account": null, "/settings": Response.json({}) });
});

Deno.test("after a change nothing is shown as it was before", async () => {
    await against([Response.json({}), Response.json({ language: "es" })], async (api) => {
        await api.patch("/settings", { language: "es" }, { ifMatch: '"v1"' });
        same((await api.get("/settings")).data, { language: "es" });
    }, Promise.resolve(session("early")), { "/settings": Response.json({ language: "ja" }) });
});

Deno.test("an early answer that refuses the token ends no session that can be renewed", async () => {
    await against([session("late"), Response.json({ email: "late" })], async (api, _keys, tokens) => {
        same((await api.get("/account")).data, { email: "late" });
        same(tokens, [null, "Bearer late"]);
    }, Promise.resolve(session("early")), { "/account": Response.json({}, { status: 401 }) });
});

for (const [what, leave] of /** @type {[string, (api: import("../../Services/Gateway/Web/app/api.js").API) => unknown][]} */ ([
    ["has signed in", (api) => api.signIn("b@example.org", "a quiet pond", "7")],
    ["has signed out", (api) => api.signOut()],
    ["is gone", (api) => api.forget()],
])) {
    Deno.test(`an early answer is nobody's who ${what}`, async () => {
        await against([session("other"), ...what === "has signed out" ? [session("other")] : [], Response.json({ email: "other" })], async (api) => {
            await leave(api);
            same((await api.get("/account")).data, { email: "other" });
        }, Promise.resolve(Response.json({}, { status: 401 })), { "/account": Response.json({ email: "early" }) });
    });
}

Deno.test("an early answer is too old after a while", async () => {
    let now = 0;
    const begun = createBegun({ answers: new Map([["/a", Promise.resolve(Response.json(1))], ["/b", Promise.resolve(Response.json(2))]]) }, () => now);
    now = 14_999;
    same(await (await begun.answer("/a"))?.json(), 1);
    now = 15_000;
    same(await begun.answer("/b"), null);
});

const locked = () => Response.json({ code: "password-needed", title: "The password is needed once more" }, { status: 403 });

Deno.test("what takes the password is asked for again under its key once the person gave it", async () => {
    let asked = 0;
    const prove = () => Promise.resolve((asked += 1) > 0);
    await against([locked(), Response.json({ id: "7" }, { status: 201 })], async (api, keys) => {
        same((await api.post("/tokens", {}, { once: true })).data, { id: "7" });
        same([asked, keys.length, new Set(keys).size], [1, 2, 1]);
    }, Promise.resolve(session("early")), {}, prove);
});

Deno.test("a person who does not give the password is told why nothing was done, and is not asked twice", async () => {
    await against([locked()], async (api, keys) => {
        await rejects(api.delete("/devices/pond-1"), { code: "password-needed" });
        same(keys.length, 1);
    }, Promise.resolve(session("early")), {}, () => Promise.resolve(false));
    await against([locked(), locked()], async (api, keys) => {
        await rejects(api.delete("/devices/pond-1"), { code: "password-needed" });
        same(keys.length, 2);
    }, Promise.resolve(session("early")), {}, () => Promise.resolve(true));
});

Deno.test("two requests that take the password ask for it once", async () => {
    let asked = 0;
    const prove = async () => {
        asked += 1;
        await new Promise((resolve) => setTimeout(resolve));
        return true;
    };
    await against([locked(), locked(), Response.json(1), Response.json(2)], async (api) => {
        await Promise.all([api.delete("/endpoints/1"), api.delete("/endpoints/2")]);
        same(asked, 1);
    }, Promise.resolve(session("early")), {}, prove);
});
