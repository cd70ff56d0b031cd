/** A page of a message's link as it stands in a browser, with a service that says what a test wants. */

import { deepStrictEqual as same } from "node:assert/strict";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { openPage } from "./page.js";

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

/**
 * @typedef {object} World
 * @property {string} [address]
 * @property {boolean} [isIn]
 * @property {string} [language] Of the browser.
 */

/**
 * @param {(root: HTMLElement, context: any) => {unmount: () => void}} mount Of the screen.
 * @param {(path: string, body: any) => any} answer What the service says; what it throws is refused.
 * @param {World} world
 */
export async function openLink(mount, answer, { address = "/", isIn = false, language = "en" }) {
    const { make, document } = openPage();
    const put = (/** @type {string} */ name, /** @type {unknown} */ value) => Object.defineProperty(globalThis, name, { value, configurable: true });
    put("location", new URL(address, "https://water.example"));
    put("history", {
        state: null,
        replaceState: (/** @type {unknown} */ _, /** @type {string} */ __, /** @type {string} */ path) => put("location", new URL(path, location.href)),
    });
    const t = await loadWords(language);
    /** @type {any[]} */
    const posted = [];
    const context = {
        t,
        format: createFormat(language, "UTC", t),
        session: { state: { value: isIn ? "in" : "out" } },
        api: {
            post: async (/** @type {string} */ path, /** @type {any} */ body, /** @type {any} */ asked) => {
                same(asked, { anonymous: true });
                posted.push([path, body]);
                await settled();
                return { data: answer(path, body) };
            },
        },
        title() {},
        remount() {},
        explain: (/** @type {Error} */ error) => `explained: ${error.message}`,
    };
    const root = make("main");
    const mounted = mount(root, context);
    for (let round = 0; round < 4; round += 1) await settled();
    return {
        root,
        posted,
        headline: () => root.querySelector("h1").textContent,
        isAtHeading: () => document.activeElement === root.querySelector("h1"),
        isRed: () => root.having("class", "link-air")[0].hasAttribute("data-alarm"),
        buttons: () => root.querySelectorAll("button").map((/** @type {any} */ button) => button.textContent),
        links: () => root.querySelectorAll("a").map((/** @type {any} */ link) => [link.textContent, link.getAttribute("href")]),
        async press(/** @type {string} */ name) {
            root.querySelectorAll("button").find((/** @type {any} */ button) => button.textContent === name).click();
            for (let round = 0; round < 4; round += 1) await settled();
        },
        unmount: mounted.unmount,
    };
}

/** What the service refuses. */
export const refuse = (/** @type {Error} */ error) => () => {
    throw error;
};
