/** Whether somebody is signed in, in several windows of one browser. */

import { deepStrictEqual as same } from "node:assert/strict";
import { createAPI } from "../../Services/Gateway/Web/app/api.js";
import { createBegun } from "../../Services/Gateway/Web/app/begun.js";
import { createSession } from "../../Services/Gateway/Web/app/session.js";

/** @type {{onmessage: ((message: {data: string}) => void) | null}[]} */
const channels = [];

/**
 * A window whose first script has asked for the session's renewal, and all that is asked and told by it.
 * @param {boolean} isMarked Whether somebody seems to be signed in here.
 * @param {Response} renewal What came of it.
 */
function open(isMarked, renewal) {
    /** @type {(string | null)[]} */
    const asked = [];
    /** @type {string[]} */
    const told = [];
    /** What was done at the end of a session. @type {string[]} */
    const ends = [];
    Object.assign(globalThis, {
        BroadcastChannel: class {
            onmessage = null;
            constructor() {
                channels.push(this);
            }
            /** @param {string} word */
            postMessage(word) {
                told.push(word);
            }
        },
        fetch: (/** @type {URL} */ { pathname }, /** @type {RequestInit} */ init) => {
            asked.push([pathname, new Headers(init.headers).get("Authorization")].join(" ").trim());
            const isRenewal = pathname.endsWith("/renewal");
            return Promise.resolve(Response.json(isRenewal ? { session: "8", accessToken: "own", expiresIn: 600 } : { email: "own" }));
        },
    });
    Object.defineProperty(globalThis, "location", { value: new URL("https://water.example/"), configurable: true });
    const begun = createBegun({ renewal: Promise.resolve(renewal), answers: new Map() });
    const api = createAPI({ language: () => "en", client: () => "c", onAnswer() {}, onNoAnswer() {}, onSignedOut: () => session.ended(), begun });
    /** @type {any} */
    const store = { recall: () => Promise.resolve(false), refresh: () => api.get("/account"), clear: () => Promise.resolve(void ends.push("cleared")) };
    /** @type {any} */
    const [live, preferences] = [{ start() {}, stop() {} }, { has: () => isMarked, mark() {} }];
    const session = createSession({ api, store, live, preferences, onOut: () => ends.push("out") });
    return { session, api, asked, told, ends, hear: (/** @type {string} */ data) => channels.at(-1)?.onmessage?.({ data }) };
}

/** @param {string} name @param {() => Promise<void>} body */
function test(name, body) {
    Deno.test(name, async () => {
        const { fetch, BroadcastChannel, location } = globalThis;
        try {
            await body();
        } finally {
            Object.assign(globalThis, { fetch, BroadcastChannel });
            Object.defineProperty(globalThis, "location", { value: location, configurable: true });
        }
    });
}

for (const [what, early] of /** @type {[string, () => Response][]} */ ([
    ["was refused", () => Response.json({}, { status: 401 })],
    ["is of another person", () => Response.json({ session: "7", accessToken: "other", expiresIn: 600 })],
])) {
    test(`a renewal that ${what} does not lie in wait for whoever signs in at another window`, async () => {
        // The other window was faster, and has said that nobody is signed in.
        const { session, asked, told, hear } = open(false, early());
        await session.start();
        same(session.state.value, "out");
        hear("in");
        await session.read();
        same([session.state.value, told], ["in", []]);
        same(asked, ["/api/v1/sessions/renewal", "/api/v1/account Bearer own"]);
    });
}

test("whoever is signed in takes the renewal up that began", async () => {
    const { session, asked } = open(true, Response.json({ session: "7", accessToken: "early", expiresIn: 600 }));
    await session.start();
    await session.read();
    same([session.state.value, asked], ["in", ["/api/v1/account Bearer early"]]);
});

test("a renewal that was refused before another window signed in signs nobody out", async () => {
    const { session, asked, told } = open(true, Response.json({}, { status: 401 }));
    await session.start();
    await session.read();
    same([session.state.value, told], ["in", []]);
    same(asked, ["/api/v1/sessions/renewal", "/api/v1/account Bearer own"]);
});

test("the session that the sign-in provider has opened is taken up, whoever was signed in before", async () => {
    for (const isMarked of [false, true]) {
        const { session, asked, told } = open(isMarked, Response.json({ session: "7", accessToken: "of before", expiresIn: 600 }));
        await session.start();
        await session.read();
        asked.length = 0;
        await session.takeUp();
        await session.read();
        same([session.state.value, told], ["in", ["in"]]);
        same(asked, ["/api/v1/sessions/renewal", "/api/v1/account Bearer own"]);
    }
});

test("nobody is signed in any more once all of theirs has left, however the session ended", async () => {
    for (const end of /** @type {const} */ (["signOut", "ended"])) {
        const { session, told, ends } = open(true, Response.json({ session: "7", accessToken: "early", expiresIn: 600 }));
        await session.start();
        await session.read();
        await session[end](() => Promise.resolve(void ends.push("outbox")));
        same([session.state.value, told, ends], ["out", ["out"], ["cleared", "outbox", "out"]]);
    }
    const other = open(true, Response.json({ session: "7", accessToken: "early", expiresIn: 600 }));
    await other.session.start();
    other.hear("out");
    await new Promise((resolve) => setTimeout(resolve));
    same([other.session.state.value, other.told, other.ends], ["out", [], ["cleared", "out"]]);
    const stranger = open(false, Response.json({}, { status: 401 }));
    await stranger.session.start();
    same(stranger.ends, ["out"]);
});
