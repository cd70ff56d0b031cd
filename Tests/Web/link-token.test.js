/** The secret of a link stands in the address for a moment only, and outlasts a change of languages. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { dropLinkToken, followLink, linkToken } from "../../Services/Gateway/Web/app/link-token.js";

/** @param {(open: (address: string) => void, written: string[]) => void} body */
function within(body) {
    const before = ["location", "history"].map((name) => /** @type {const} */ ([name, Object.getOwnPropertyDescriptor(globalThis, name)]));
    /** @type {string[]} */
    const written = [];
    const put = (/** @type {string} */ name, /** @type {unknown} */ value) => Object.defineProperty(globalThis, name, { value, configurable: true });
    const open = (/** @type {string} */ address) => put("location", new URL(address, "https://water.example"));
    put("history", {
        state: { depth: 2 },
        replaceState(/** @type {any} */ state, /** @type {string} */ _, /** @type {string} */ path) {
            same(state, { depth: 2 });
            written.push(path);
            open(path);
        },
    });
    try {
        body(open, written);
    } finally {
        for (const [name, own] of before) {
            if (own) Object.defineProperty(globalThis, name, own);
            else Reflect.deleteProperty(globalThis, name);
        }
    }
}

Deno.test("it is taken out of the address once, and is there as long as it may be needed", () => {
    within((open, written) => {
        open("/reset-password#aqr_1");
        same([linkToken(), linkToken(), written], ["aqr_1", "aqr_1", ["/reset-password"]]);
        equal(location.href, "https://water.example/reset-password");
        open("/unsubscribe");
        equal(linkToken(), "", "that of another screen");
        open("/reset-password#aqr_2");
        equal(linkToken(), "aqr_2", "a newer link");
        dropLinkToken();
        equal(linkToken(), "");
    });
});

Deno.test("a link that is pasted over the present one is followed until the screen is left", () => {
    within((open) => {
        let times = 0;
        const end = followLink(() => times += 1);
        for (const address of ["/unsubscribe", "/unsubscribe#aqu_1"]) {
            open(address);
            dispatchEvent(new Event("hashchange"));
        }
        equal(times, 1);
        end();
        dispatchEvent(new Event("hashchange"));
        equal(times, 1);
    });
});
