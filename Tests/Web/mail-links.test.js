/** The screens of a forgotten password and of the links in mails. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import * as forgotten from "../../Services/Gateway/Web/screens/entrance/forgot-password.js";
import * as reset from "../../Services/Gateway/Web/screens/entrance/reset-password.js";
import * as signIn from "../../Services/Gateway/Web/screens/entrance/sign-in.js";
import * as unsubscribe from "../../Services/Gateway/Web/screens/unsubscribe/unsubscribe.js";
import { Problem } from "../../Services/Gateway/Web/words/problem.js";
import { openPage } from "./page.js";

const password = "a quiet pond at four";
const settled = () => new Promise((resolve) => setTimeout(resolve));

/** @param {string} code @param {string} [title] */
const refusal = (code, title = "") => new Problem(422, { code, title }, null);

/**
 * A screen as somebody sees it who opens an address.
 * @param {{mount: (root: any, context: any) => import("../../Services/Gateway/Web/app/context.js").Mounted}} screen
 * @param {string} address
 * @param {object} [world]
 * @param {boolean} [world.isIn]
 * @param {boolean} [world.resetsPasswords]
 * @param {() => Promise<void>} [world.signOut]
 * @param {(path: string) => unknown} [world.answer] To what is posted; what it throws is a refusal.
 */
async function open(screen, address, { isIn = false, resetsPasswords = true, signOut = () => Promise.resolve(), answer = () => null } = {}) {
    const { make, document } = openPage();
    const put = (/** @type {string} */ name, /** @type {unknown} */ value) => Object.defineProperty(globalThis, name, { value, configurable: true });
    put("location", new URL(address, "https://water.example"));
    put("history", {
        state: null,
        replaceState: (/** @type {unknown} */ _, /** @type {string} */ __, /** @type {string} */ path) => put("location", new URL(path, location.href)),
    });
    const t = await loadWords("en");
    /** @type {unknown[]} */
    const posted = [];
    /** @type {string[]} */
    const ends = [];
    const context = {
        t,
        api: {
            get: () => Promise.resolve({ data: { signUp: "open", resetsPasswords } }),
            post: async (/** @type {string} */ path, /** @type {unknown} */ body, /** @type {unknown} */ asked) => {
                same(asked, { anonymous: true });
                posted.push([path, body]);
                await settled();
                return { data: answer(path) };
            },
        },
        session: {
            state: { value: isIn ? "in" : "out" },
            signOut: () => (ends.push("signed out"), signOut()),
            ended: () => ends.push("forgotten"),
        },
        title() {},
        back() {},
        remount() {},
        explain: (/** @type {Error} */ error) => `explained: ${error.message}`,
    };
    const root = make("main");
    const mounted = screen.mount(root, context);
    await settled();
    return {
        t,
        root,
        posted,
        ends,
        input: () => root.querySelector("input"),
        links: () => root.querySelectorAll("a").filter((/** @type {any} */ link) => !link.hidden).map((/** @type {any} */ link) => link.getAttribute("href")),
        isAtHeading: () => document.activeElement === root.querySelector("h1"),
        async send() {
            root.querySelector("form").dispatchEvent(new Event("submit", { cancelable: true }));
            await settled();
            await settled();
        },
        async press(/** @type {string} */ kind) {
            root.having("class", `button-${kind}`)[0].click();
            await settled();
            await settled();
        },
        unmount: mounted.unmount,
    };
}

for (const resetsPasswords of [true, false]) {
    Deno.test(`the way to another password is ${resetsPasswords ? "" : "not "}there where mail is ${resetsPasswords ? "on" : "off"}`, async () => {
        const { links } = await open(signIn, "/sign-in", { resetsPasswords });
        same(links(), resetsPasswords ? ["/sign-up", "/forgot-password"] : ["/sign-up"]);
        const { root, t } = await open(forgotten, "/forgot-password", { resetsPasswords });
        equal(root.querySelector("form").hidden, !resetsPasswords);
        equal(root.told.includes(t("start.forgot")), !resetsPasswords);
    });
}

Deno.test("the address that was typed at signing in is there, and the same is said whosever it is", async () => {
    const before = await open(signIn, "/sign-in");
    before.input().value = " ada@example.org ";
    before.root.having("href", "/forgot-password")[0].click();
    const { t, root, posted, input, links, isAtHeading, send, press } = await open(forgotten, "/forgot-password", {
        answer: () => ({ email: "ada@example.org" }),
    });
    equal(input().value, "ada@example.org");
    await send();
    same(posted, [["/password-resets", { email: "ada@example.org" }]]);
    equal(root.told.includes(t("start.forgot_sentText", { email: "ada@example.org" })), true);
    same([links(), isAtHeading(), input()], [["/sign-in"], true, null]);
    await press("text");
    same([input().value, isAtHeading()], ["ada@example.org", true]);
});

Deno.test("no address is asked for nothing, and a refusal is told", async () => {
    const { t, root, posted, input, send } = await open(forgotten, "/forgot-password", {
        answer: () => {
            throw refusal("too-many-requests", "Too many requests");
        },
    });
    input().value = "ada";
    await send();
    same([posted.length, root.told.includes(t("start.email_missing"))], [0, true]);
    input().value = "ada@example.org";
    await send();
    same([posted.length, root.told.includes("explained: Too many requests")], [1, true]);
});

for (const [who, isIn, signOut, ended] of /** @type {[string, boolean, () => Promise<void>, string[]][]} */ ([
    ["nobody is signed in", false, () => Promise.resolve(), []],
    ["somebody is signed in", true, () => Promise.resolve(), ["signed out"]],
    ["signing out is not answered", true, () => Promise.reject(new Error()), ["signed out", "forgotten"]],
])) {
    Deno.test(`a new password is set, where ${who}`, async () => {
        const { t, root, posted, ends, input, links, isAtHeading, send, unmount } = await open(reset, "/reset-password#aqr_1", { isIn, signOut });
        equal(location.href, "https://water.example/reset-password");
        input().value = "too short";
        await send();
        same([posted, root.told.includes(t("start.password_short")), ends], [[], true, []]);
        input().value = password;
        await send();
        same(posted, [["/password-resets/completion", { token: "aqr_1", newPassword: password }]]);
        same([ends, links(), isAtHeading()], [ended, ["/sign-in"], true]);
        equal(root.told.includes(t("start.reset_doneText")), true);
        unmount();
        // It has been used.
        same((await open(reset, "/reset-password")).links(), ["/forgot-password"]);
    });
}

Deno.test("a link that is over leads to the next one, and nobody is signed out", async () => {
    const { root, ends, input, links, send, unmount } = await open(reset, "/reset-password#aqr_2", {
        isIn: true,
        answer: () => {
            throw refusal("reset-expired", "It is over");
        },
    });
    input().value = password;
    await send();
    same([root.told.includes("explained: It is over"), links(), ends, input()], [true, ["/forgot-password"], [], null]);
    unmount();
});

Deno.test("what the service has against a password is told at its field, and the link goes on", async () => {
    const fault = { pointer: "#/newPassword", code: "password-guessed-first", detail: "Too easily guessed" };
    const { root, posted, input, send, unmount } = await open(reset, "/reset-password#aqr_3", {
        answer: () => {
            throw new Problem(422, { code: "invalid-input", errors: [fault] }, null);
        },
    });
    input().value = password;
    await send();
    await send();
    same([posted.length, input().getAttribute("aria-invalid"), root.told.includes("Too easily guessed")], [2, "true", true]);
    unmount();
});

Deno.test("nothing is ended by opening the link, and everything is said once it is", async () => {
    const { t, root, posted, links, isAtHeading, press, unmount } = await open(unsubscribe, "/unsubscribe#aqu_1");
    same([posted, location.hash, root.told.includes(t("unsubscribe.ask"))], [[], "", true]);
    await press("primary");
    same(posted, [["/unsubscriptions/aqu_1", {}]]);
    same([root.querySelector("h1").textContent, links(), isAtHeading()], [t("unsubscribe.done"), ["/settings/notifications"], true]);
    unmount();
});

for (const [address, code, words] of /** @type {const} */ ([
    ["/unsubscribe#aqu_2", "not-found", "unsubscribe.unknown"], ["/unsubscribe#aqu_3", "unavailable", null],
])) {
    Deno.test(`a link that is refused says what to do: ${code}`, async () => {
        const { t, root, press, unmount } = await open(unsubscribe, address, {
            answer: () => {
                throw refusal(code, "Refused");
            },
        });
        await press("primary");
        equal(root.told.includes(words ? t(words) : "explained: Refused"), true);
        // What may work later can be pressed again.
        equal(root.having("class", "button-primary").length, words ? 0 : 1);
        unmount();
    });
}

Deno.test("a link without its end cannot be pressed", async () => {
    for (const [screen, address] of /** @type {const} */ ([[unsubscribe, "/unsubscribe-cut"], [reset, "/reset-password-cut"]])) {
        const { t, root, unmount } = await open(screen, address);
        same([root.told.includes(t("common.incomplete")), root.querySelector("form"), root.querySelector("button")], [true, null, null]);
        unmount();
    }
});
