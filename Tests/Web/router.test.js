/** A step back closes what stands above the screen, with either of the browser's ways to know of it. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { createRouter } from "../../Services/Gateway/Web/app/router.js";

/**
 * @param {Record<string, unknown>} world What the browser has.
 * @param {() => void} body
 */
function within(world, body) {
    const before = new Map(Object.keys(world).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]));
    for (const [name, value] of Object.entries(world)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    try {
        body();
    } finally {
        for (const [name, own] of before) {
            if (own) Object.defineProperty(globalThis, name, own);
            else Reflect.deleteProperty(globalThis, name);
        }
    }
}

/** @param {number} sheets How many are open. */
function above(sheets) {
    let open = sheets;
    return { takes: () => open > 0 && (open -= 1) >= 0, count: () => open };
}

const location = new URL("https://water.example/p/a/ph");

Deno.test("with the navigation API a step back closes a sheet, the next one leaves the screen", () => {
    /** @type {any} */
    let hear;
    const navigation = { currentEntry: { index: 2 }, addEventListener: (/** @type {string} */ _, /** @type {unknown} */ listener) => hear = listener };
    within({ navigation, location, history: { state: null } }, () => {
        const sheets = above(1);
        /** @type {string[]} */
        const told = [];
        createRouter(() => Promise.resolve(), sheets.takes);
        /** @param {Record<string, unknown>} more */
        const go = (more) =>
            hear({
                canIntercept: true,
                cancelable: true,
                downloadRequest: null,
                navigationType: "traverse",
                destination: { url: "https://water.example/", index: 1 },
                preventDefault: () => told.push("stays"),
                intercept: () => told.push("goes"),
                ...more,
            });
        go({ navigationType: "push" });
        same([told, sheets.count()], [["goes"], 1], "a link is no step back");
        go({ destination: { url: "https://water.example/", index: 3 } });
        same([told, sheets.count()], [["goes", "goes"], 1], "nor is a step forward");
        go({});
        same([told, sheets.count()], [["goes", "goes", "stays"], 0]);
        go({});
        same(told.at(-1), "goes");
    });
});

Deno.test("an address that is only written in another way shows no screen; pressing the link to the present one does", () => {
    /** @type {any} */
    let hear;
    const navigation = { addEventListener: (/** @type {string} */ _, /** @type {unknown} */ listener) => hear = listener };
    within({ navigation, location, history: { state: null } }, () => {
        /** @type {boolean[]} */
        const shown = [];
        createRouter(() => Promise.resolve());
        for (const [path, sameDocument] of /** @type {const} */ ([["/p/a/ph", true], ["/p/a/ph", false], ["/sign-in", true]])) {
            let isShown = false;
            const destination = { url: `https://water.example${path}`, sameDocument };
            hear({ canIntercept: true, downloadRequest: null, navigationType: "replace", destination, intercept: () => isShown = true });
            shown.push(isShown);
        }
        same(shown, [false, true, true]);
    });
});

Deno.test("with the history API the step that closed a sheet is undone, and shows nothing", () => {
    /** @type {Map<string, any>} */
    const listeners = new Map();
    /** @type {number[]} */
    const gone = [];
    /** @type {string[]} */
    const shown = [];
    const history = { state: { depth: 2 }, go: (/** @type {number} */ steps) => gone.push(steps) };
    const world = {
        navigation: undefined,
        location,
        history,
        document: { addEventListener() {} },
        addEventListener: (/** @type {string} */ name, /** @type {unknown} */ listener) => listeners.set(name, listener),
    };
    within(world, () => {
        const sheets = above(1);
        createRouter(({ path }) => Promise.resolve(void shown.push(path)), sheets.takes);
        const pop = listeners.get("popstate");
        pop({ state: { depth: 1 } });
        same([gone, shown, sheets.count()], [[1], [], 0]);
        pop({ state: { depth: 2 } });
        equal(shown.length, 0, "the step forward is its undoing");
        pop({ state: { depth: 1 } });
        equal(shown.length, 1);
        same(gone, [1]);
    });
});
