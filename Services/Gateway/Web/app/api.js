/**
 * The client of /api/v1. The access token is kept in memory alone; the refresh token is in a cookie that no script reads.
 */

import { NoAnswer, Problem, SignedOut } from "../words/problem.js";
import { createBegun } from "./begun.js";

/**
 * @typedef {object} Asked
 * @property {unknown} [body] Sent as JSON, unless it has a type.
 * @property {string} [type] Of a body of bytes.
 * @property {Record<string, string | number | null | undefined>} [query]
 * @property {string} [ifMatch] The entity tag of what is changed, without which the service changes nothing.
 * @property {boolean} [once] Whether it has to happen once, however often it is sent.
 * @property {boolean} [anonymous] Whether it is asked without a session.
 * @property {string | null} [project] As which project it is asked for, or as the person; without it as the window acts.
 * @property {Record<string, string>} [headers]
 * @property {AbortSignal} [signal]
 */

/**
 * @template T
 * @typedef {{data: T, tag: string | null, status: number}} Answered
 */

/**
 * @typedef {object} Session
 * @property {string} session
 * @property {string} accessToken
 * @property {number} expiresIn In seconds.
 */

const base = "/api/v1";
/** Held while the session's cookie changes, so that of several windows and the service worker one at a time does it. */
const renewalLock = "aqua-renewal";
/** A token is renewed so long before it expires. */
const margin = 30_000;
const patience = 30_000;
/** So long the answer to a creation is waited for whose connection broke. */
const creationPatience = 60_000;

/**
 * @typedef {object} Surroundings
 * @property {() => string} language In which problems are told.
 * @property {() => string} client This installation's number, by which a renewal is repeated whose answer was lost.
 * @property {() => void} onAnswer The service has answered.
 * @property {(error: NoAnswer) => void} onNoAnswer
 * @property {() => void} onSignedOut The session has ended.
 * @property {(method: string, path: string) => string | null} [project] As which project something is asked for; null: as the person.
 * @property {(project: string) => void} [onPartEnded] The person acts for a project no more.
 * @property {() => Promise<boolean>} [prove] Asks the person for their password; whether they gave it.
 * @property {import("./begun.js").Begun} [begun] What was asked for before.
 */

/**
 * Whether the password has to be given once more.
 * @param {Response} response
 */
async function needsPassword(response) {
    return response.status === 403 && await codeOf(response) === "password-needed";
}

/**
 * Whether an answer to a project says that the person acts for it no more: they are no administrator, or no member, or it is no more.
 * @param {Response} response
 * @param {string} method
 * @param {string} path
 */
async function hasEndedPart(response, method, path) {
    if (response.status === 404) return method === "GET" && path === "/devices";
    return response.status === 403 && await codeOf(response) === "administrators-only";
}

/**
 * Whether the same creation, sent before, is still at work.
 * @param {Response} response
 */
async function isRunning(response) {
    return await codeOf(response) === "idempotency-in-progress";
}

/**
 * The code of a problem document.
 * @param {Response} response
 */
async function codeOf(response) {
    const document = await response.clone().json().catch(() => null);
    return document?.code;
}

/** @typedef {ReturnType<typeof createAPI>} API */

/** @param {Surroundings} surroundings */
export function createAPI({ language, client, onAnswer, onNoAnswer, onSignedOut, project, onPartEnded, prove, begun = createBegun() }) {
    /** @type {{token: string, session: string, until: number} | null} */
    let held = null;
    /** One question at a time, whatever waits for it. @type {Promise<boolean> | null} */
    let proof = null;
    /** @type {Promise<string> | null} */
    let renewal = null;

    /**
     * @param {string} method
     * @param {string} path
     * @param {Asked} asked
     * @returns {Promise<Response>}
     */
    async function send(method, path, asked) {
        const { body, type, query, ifMatch, once, anonymous, headers = {}, signal } = asked;
        // Answers that were asked for before the change show what it changes as it was.
        if (method !== "GET") begun.outdate();
        const url = new URL(base + path, location.origin);
        for (const [name, value] of Object.entries(query ?? {})) {
            if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
        }
        const fields = new Headers({ "Accept-Language": language(), ...headers });
        if (body !== undefined) fields.set("Content-Type", type ?? "application/json");
        if (ifMatch) fields.set("If-Match", ifMatch);
        const as = anonymous ? null : asked.project !== undefined ? asked.project : project?.(method, path) ?? null;
        if (as !== null) fields.set("Aqua-Project", as);
        if (once) fields.set("Idempotency-Key", randomKey());
        const text = body === undefined ? undefined : type ? /** @type {ArrayBuffer} */ (body) : JSON.stringify(body);
        // What has to happen once may be sent again under its key; reading harms nobody.
        const began = Date.now();
        const tries = once || method === "GET" ? 2 : 1;
        let attempt = 0;
        let hasProven = false;
        for (;;) {
            attempt += 1;
            if (!anonymous) fields.set("Authorization", `Bearer ${await token()}`);
            let response;
            try {
                response = (method === "GET" ? await begunAnswer(url) : null) ??
                    await bounded(url, { method, headers: fields, body: text, signal, credentials: "same-origin" });
            } catch (error) {
                if (attempt < tries && navigator.onLine && !signal?.aborted) continue;
                throw error;
            }
            if (once && response.status === 409 && Date.now() - began < creationPatience && await isRunning(response)) {
                await new Promise((end) => setTimeout(end, 1_000));
                attempt = 0;
                continue;
            }
            if (response.status === 401 && !anonymous && attempt < 3) {
                held = null;
                // Refused although it has not expired: the session ended elsewhere, or the keys were renewed.
                if (attempt === 2) throw ended();
                continue;
            }
            if (as !== null && await hasEndedPart(response, method, path)) onPartEnded?.(as);
            if (prove && !hasProven && await needsPassword(response)) {
                proof ??= prove().finally(() => proof = null);
                hasProven = await proof;
                if (hasProven) {
                    attempt = 0;
                    continue;
                }
            }
            return response;
        }
    }

    /**
     * @param {URL} url
     * @param {RequestInit} init
     */
    async function bounded(url, init) {
        const limit = AbortSignal.timeout(patience);
        // The stream of events lasts; its reader notices silence by itself.
        const isStream = init.headers instanceof Headers && init.headers.get("Accept") === "text/event-stream";
        const signals = [init.signal, isStream ? null : limit].filter((signal) => signal instanceof AbortSignal);
        try {
            const response = await fetch(url, { ...init, signal: anyOf(signals), cache: "no-store", redirect: "error" });
            onAnswer();
            return response;
        } catch (error) {
            if (init.signal?.aborted) throw error;
            const failure = new NoAnswer(!navigator.onLine);
            onNoAnswer(failure);
            throw failure;
        }
    }

    function ended() {
        forget();
        onSignedOut();
        return new SignedOut();
    }

    function forget() {
        held = null;
        begun.forget();
    }

    /** The token of requests, renewed when it is about to expire. */
    async function token() {
        if (held && held.until - margin > Date.now()) return held.token;
        renewal ??= exclusively(renewalLock, renew).finally(() => renewal = null);
        return await renewal;
    }

    async function renew() {
        // Another window may have signed in since one was refused.
        const early = heard(await begun.renewal());
        const response = early && early.status !== 401 ? early : await bounded(new URL(`${base}/sessions/renewal`, location.origin), {
            method: "POST",
            headers: { "Content-Type": "application/json", "Accept-Language": language() },
            body: JSON.stringify({ clientId: client() }),
            credentials: "same-origin",
        });
        if (response.status === 401) throw ended();
        const session = await read(response);
        return take(/** @type {Session} */ (session.data));
    }

    /** @param {URL} url */
    async function begunAnswer({ pathname, search }) {
        return heard(await begun.answer(pathname.slice(base.length) + search));
    }

    /** @param {Response | null} response To what was asked before this was here. */
    function heard(response) {
        if (response) onAnswer();
        return response;
    }

    /** @param {Session} session */
    function take({ accessToken, expiresIn, session }) {
        held = { token: accessToken, session, until: Date.now() + expiresIn * 1000 };
        return accessToken;
    }

    /**
     * @param {string} method
     * @param {string} path
     * @param {Asked} [asked]
     * @returns {Promise<Answered<any>>}
     */
    async function ask(method, path, asked = {}) {
        return await read(await send(method, path, asked));
    }

    return {
        /**
         * @param {string} path
         * @param {Asked} [asked]
         */
        get: (path, asked) => ask("GET", path, asked),
        /**
         * @param {string} path
         * @param {unknown} [body]
         * @param {Asked} [asked]
         */
        post: (path, body = {}, asked = {}) => ask("POST", path, { ...asked, body }),
        /**
         * @param {string} path
         * @param {unknown} body
         * @param {Asked} [asked]
         */
        patch: (path, body, asked = {}) => ask("PATCH", path, { ...asked, body }),
        /**
         * @param {string} path
         * @param {unknown} body
         * @param {Asked} [asked]
         */
        put: (path, body, asked = {}) => ask("PUT", path, { ...asked, body }),
        /**
         * @param {string} path
         * @param {Asked} [asked]
         */
        delete: (path, asked) => ask("DELETE", path, asked),

        /**
         * The answer as it comes, for streams and files.
         * @param {string} path
         * @param {Asked} [asked]
         */
        async open(path, asked = {}) {
            const response = await send("GET", path, asked);
            if (!response.ok) await read(response);
            return response;
        },

        /**
         * Every item of a list that comes in pages.
         * @param {string} path
         * @param {Asked} [asked]
         * @returns {Promise<any[]>}
         */
        async all(path, asked = {}) {
            const items = [];
            /** @type {string | null} */
            let cursor = null;
            do {
                const { data } = await ask("GET", path, { ...asked, query: { ...asked.query, cursor } });
                items.push(...data.items);
                cursor = data.next ?? null;
            } while (cursor !== null);
            return items;
        },

        /**
         * @param {string} email
         * @param {string} password
         * @param {string} clientId Of this installation; signing in resumes what signing out paused.
         */
        async signIn(email, password, clientId) {
            begun.forget();
            await exclusively(renewalLock, async () => {
                const { data } = await ask("POST", "/sessions", {
                    anonymous: true,
                    body: { email, password, clientId, cookie: true },
                });
                take(data);
            });
        },

        /** Ends the session here and at the service. */
        async signOut() {
            forget();
            await exclusively(renewalLock, () => ask("POST", "/sessions/sign-out", { anonymous: true, body: {} }));
        },

        /** Forgets the token and what was asked for early, when the session has ended elsewhere. */
        forget,

        /** Makes sure of the session, renewing it where necessary. */
        token,
    };
}

/**
 * @param {Response} response
 * @returns {Promise<Answered<any>>}
 */
async function read(response) {
    const tag = response.headers.get("ETag");
    if (response.ok) {
        const isJSON = response.headers.get("Content-Type")?.startsWith("application/json") ?? false;
        return { data: isJSON ? await response.json() : null, tag, status: response.status };
    }
    const document = await response.json().catch(() => ({}));
    const wait = response.headers.get("Retry-After");
    throw new Problem(response.status, document, wait === null ? null : Number(wait));
}

/**
 * Runs while no other window of this browser does the same.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} run
 * @returns {Promise<T>}
 */
async function exclusively(name, run) {
    // Without HTTPS there are no locks; the service answers a renewal that comes twice in a moment with the same token.
    return navigator.locks ? await navigator.locks.request(name, run) : await run();
}

/** @param {AbortSignal[]} signals */
function anyOf(signals) {
    if (signals.length < 2) return signals[0] ?? null;
    if ("any" in AbortSignal) return AbortSignal.any(signals);
    const controller = new AbortController();
    for (const signal of signals) signal.addEventListener("abort", () => controller.abort(signal.reason), { once: true });
    return controller.signal;
}

/** A random UUID (version 4), also where the page is not served over HTTPS. */
export function randomKey() {
    if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const text = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return [0, 8, 12, 16, 20].map((from, index, all) => text.slice(from, all[index + 1] ?? 32)).join("-");
}
