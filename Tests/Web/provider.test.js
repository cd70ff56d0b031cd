/** Signing in by the house's own provider: the button, what came of the way there, and proving oneself again. */

import { deepStrictEqual as same, notEqual as differs, ok, strictEqual as equal } from "node:assert/strict";
import { dropLinkToken } from "../../Services/Gateway/Web/app/link-token.js";
import { provesByPassword, provesByProvider, readWaysIn, wayToProvider } from "../../Services/Gateway/Web/app/provider.js";
import { sentenceOfReturn } from "../../Services/Gateway/Web/app/provider-return.js";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { createWaysIn } from "../../Services/Gateway/Web/screens/account/identities.js";
import * as signIn from "../../Services/Gateway/Web/screens/entrance/sign-in.js";
import * as signedIn from "../../Services/Gateway/Web/screens/entrance/signed-in.js";
import { NoAnswer } from "../../Services/Gateway/Web/words/problem.js";
import { languages } from "./languages.js";
import { openPage } from "./page.js";

const source = await Deno.readTextFile(new URL("../../Services/Gateway/Library/OpenID/Departures/SignInObstacle.swift", import.meta.url));
/** As the service names them; and what went well. */
const outcomes = [...source.matchAll(/^ {4}case (\w+)$/gm)].map(([, name]) => name).concat("linked", "signedOut");
const settled = () => new Promise((resolve) => setTimeout(resolve, 2));

for (const language of Object.keys(languages)) {
    Deno.test(`whatever the service leads back with has its words: ${language}`, async () => {
        const t = await loadWords(language);
        equal(outcomes.length, 16);
        const sentences = outcomes.map((what) => sentenceOfReturn(t, what));
        for (const sentence of sentences) differs(sentence, "");
        equal(new Set(sentences).size, sentences.length);
        equal(sentenceOfReturn(t, "fromTheFuture"), "");
    });
}

/**
 * @param {{mount: (root: any, context: any) => unknown}} screen
 * @param {string} address
 * @param {object} service
 * @param {any} [session]
 */
async function open(screen, address, service, session = {}) {
    const { make } = openPage();
    const put = (/** @type {string} */ name, /** @type {unknown} */ value) => Object.defineProperty(globalThis, name, { value, configurable: true });
    put("location", new URL(address, "https://water.example"));
    put("history", {
        state: null,
        replaceState: (/** @type {unknown} */ _, /** @type {string} */ __, /** @type {string} */ path) => put("location", new URL(path, location.href)),
    });
    const t = await loadWords("en");
    /** @type {unknown[]} */
    const went = [];
    const context = {
        t,
        api: { get: () => Promise.resolve({ data: service }) },
        session,
        preferences: { client: "8d7e0c7e-0000-4000-8000-000000000000" },
        navigate: (/** @type {string} */ path, /** @type {unknown} */ options) => went.push([path, options]),
        title() {},
        explain: () => "no answer",
    };
    const root = make("main");
    screen.mount(root, context);
    for (let round = 0; round < 4; round += 1) await settled();
    return { t, root, went };
}

const texts = (/** @type {any} */ root, /** @type {string} */ tag) => root.querySelectorAll(tag).filter((/** @type {any} */ one) => !one.hidden).map((/** @type {any} */ one) => one.textContent);

Deno.test("a provider has a button that leads past the app, beside the password or in its place", async () => {
    const both = await open(signIn, "/sign-in", { signUp: "open", resetsPasswords: true, takesPasswords: true, provider: "Koi Club" });
    ok(texts(both.root, "a").includes("Sign in with Koi Club"));
    equal(both.root.querySelector("form").hidden, false);
    const alone = await open(signIn, "/sign-in", { signUp: "closed", resetsPasswords: false, takesPasswords: false, provider: "Koi Club" });
    equal(alone.root.querySelector("form").hidden, true);
    // The way back that an operator makes is by a password.
    alone.root.querySelectorAll("button").find((/** @type {any} */ one) => one.textContent === "With a password").click();
    equal(alone.root.querySelector("form").hidden, false);
    const none = await open(signIn, "/sign-in", { signUp: "open", resetsPasswords: true, takesPasswords: true, provider: null });
    ok(!texts(none.root, "a").some((/** @type {string} */ text) => text.startsWith("Sign in with")));
    const way = new URL(wayToProvider("1-2", "Europe/Berlin"), "https://water.example");
    same([way.pathname, way.searchParams.get("client"), way.searchParams.get("zone")], ["/oidc/sign-in", "1-2", "Europe/Berlin"]);
});

Deno.test("why the provider led back with nothing is told at the entrance, and taken out of the address", async () => {
    const { t, root } = await open(signIn, "/sign-in#notInGroup", { signUp: "open", takesPasswords: true, provider: "Koi Club" });
    equal(root.having("class", "problem")[0].textContent.includes(t("provider.notInGroup")), true);
    equal(location.hash, "");
    dropLinkToken();
    const left = await open(signIn, "/sign-in#signedOut", { signUp: "open", takesPasswords: true, provider: "Koi Club" });
    equal(left.root.having("class", "problem")[0].textContent, "");
    ok(left.root.having("class", "start-note").some((/** @type {any} */ one) => one.textContent === left.t("provider.signedOut")));
    dropLinkToken();
    const unknown = await open(signIn, "/sign-in#<b>", { signUp: "open", takesPasswords: true, provider: "Koi Club" });
    equal(unknown.root.having("class", "problem")[0].textContent, "");
    dropLinkToken();
});

Deno.test("back from the provider the session is taken up, and whoever has none is led to the entrance", async () => {
    let taken = 0;
    const { went } = await open(signedIn, "/signed-in", {}, { takeUp: () => Promise.resolve(taken += 1) });
    same([taken, went], [1, [["/sign-in", { replace: true }]]]);
    const refused = await open(signedIn, "/signed-in", {}, { takeUp: () => Promise.reject(new Error("none")) });
    same(refused.went, [["/sign-in", { replace: true }]]);
    const away = await open(signedIn, "/signed-in", {}, { takeUp: () => Promise.reject(new NoAnswer(true)) });
    same(away.went, []);
    ok(texts(away.root, "button").includes(away.t("common.retry")));
});

Deno.test("a person proves themselves by what lets them in", async () => {
    const identity = { id: "1", issuer: "https://id.example", name: "ada", linkedAt: "2026-01-01T00:00:00Z", usedAt: "2026-01-01T00:00:00Z", isInUse: true };
    const answers = /** @type {Record<string, any>} */ ({
        "/service": { takesPasswords: false, provider: "Koi Club" },
        "/account/identities": { hasPassword: true, identities: [identity] },
    });
    const ways = await readWaysIn(/** @type {any} */ ({ api: { get: (/** @type {string} */ path) => Promise.resolve({ data: answers[path] }) } }));
    same([provesByPassword(ways), provesByProvider(ways)], [false, true]);
    same([provesByPassword({ ...ways, takesPasswords: true }), provesByPassword({ ...ways, takesPasswords: true, hasPassword: false })], [true, false]);
    // One at a provider that is no longer in use lets nobody in.
    same([provesByProvider({ ...ways, provider: null }), provesByProvider({ ...ways, identities: [{ ...identity, isInUse: false }] })], [false, false]);
});

Deno.test("the account shows what lets in, without a password where the house takes none", async () => {
    openPage();
    const t = await loadWords("en");
    const context = /** @type {any} */ ({ t, format: createFormat("en", "UTC", t) });
    const identity = { id: "1", issuer: "https://id.example", name: null, linkedAt: "2026-01-01T00:00:00Z", usedAt: "2026-01-01T00:00:00Z", isInUse: false };
    /** @type {unknown[]} */
    const left = [];
    /** @type {any} */
    let list;
    const rows = (/** @type {any} */ ways) => {
        list = createWaysIn(context, ways, () => {}, () => left.push(1));
        return list.having("class", "row-name").map((/** @type {any} */ one) => one.textContent);
    };
    same(rows({ hasPassword: true, takesPasswords: true, provider: null, identities: [] }), ["Change the password"]);
    same(rows({ hasPassword: false, takesPasswords: true, provider: "Koi Club", identities: [identity] }), [
        "Set a password",
        "https://id.example",
        "Link Koi Club",
    ]);
    same(rows({ hasPassword: true, takesPasswords: false, provider: "Koi Club", identities: [] }), ["Link Koi Club"]);
    same(rows({ hasPassword: true, takesPasswords: false, provider: "Koi Club", identities: [], signsOutThere: true }), [
        "Link Koi Club",
        "Sign out here and at Koi Club",
    ]);
    list.querySelectorAll("button")[1].click();
    equal(left.length, 1);
});
